// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DockerDaemonTest {

    @Test
    void a_daemon_that_answers_is_found(@TempDir Path directory) throws Exception {
        Path socket = directory.resolve("docker.sock");
        try (ServerSocketChannel daemon = listen(socket)) {
            CompletableFuture<Void> answer = CompletableFuture.runAsync(() -> answerOne(daemon));
            assertThat(DockerDaemon.address(Optional.of("unix://" + socket))).contains("unix://" + socket);
            answer.join();
        }
    }

    @Test
    void a_daemon_that_hangs_is_given_up(@TempDir Path directory) throws Exception {
        Path socket = directory.resolve("docker.sock");
        try (ServerSocketChannel daemon = listen(socket)) {
            assertThat(daemon.isOpen()).isTrue();
            assertThat(DockerDaemon.address(Optional.of("unix://" + socket))).isEmpty();
        }
    }

    @Test
    void a_tcp_daemon_is_found_by_its_port() throws Exception {
        String host;
        try (ServerSocket daemon = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            host = "tcp://127.0.0.1:" + daemon.getLocalPort();
            assertThat(DockerDaemon.address(Optional.of(host))).contains(host);
        }
        assertThat(DockerDaemon.address(Optional.of(host))).isEmpty();
    }

    @Test
    void nonsense_is_no_daemon(@TempDir Path directory) {
        assertThat(DockerDaemon.address(Optional.of("unix://" + directory.resolve("missing"))))
                .isEmpty();
        assertThat(DockerDaemon.address(Optional.of("not an address"))).isEmpty();
    }

    private static ServerSocketChannel listen(Path socket) throws IOException {
        ServerSocketChannel daemon = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        return daemon.bind(UnixDomainSocketAddress.of(socket));
    }

    private static void answerOne(ServerSocketChannel daemon) {
        try (SocketChannel client = daemon.accept()) {
            client.read(ByteBuffer.allocate(100));
            client.write(ByteBuffer.wrap("HTTP/1.0 200 OK\r\n\r\nOK".getBytes(US_ASCII)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
