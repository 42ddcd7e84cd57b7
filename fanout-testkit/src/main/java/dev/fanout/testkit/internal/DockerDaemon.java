// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Asks for a Docker daemon in milliseconds. Testcontainers takes seconds to find out that there is none, and is loaded
 * only if this says yes.
 */
final class DockerDaemon {

    private static final String TESTCONTAINERS = "org/testcontainers/postgresql/PostgreSQLContainer.class";
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private DockerDaemon() {}

    /** Whether Testcontainers is on the class path and a daemon answers where it would look for one. */
    static boolean isUsable() {
        return DockerDaemon.class.getClassLoader().getResource(TESTCONTAINERS) != null
                && address(Optional.ofNullable(System.getenv("DOCKER_HOST"))).isPresent();
    }

    /** The address of the daemon that answers. */
    static Optional<String> address(Optional<String> dockerHost) {
        Stream<String> candidates = dockerHost
                .map(Stream::of)
                .orElseGet(() -> Stream.of(
                        "unix:///var/run/docker.sock",
                        "unix://" + System.getProperty("user.home") + "/.docker/run/docker.sock"));
        return candidates.filter(DockerDaemon::answers).findFirst();
    }

    private static boolean answers(String address) {
        try {
            URI uri = URI.create(address);
            return "unix".equals(uri.getScheme()) ? pongs(Path.of(uri.getPath())) : listens(uri);
        } catch (IOException | IllegalArgumentException notThere) {
            return false;
        }
    }

    // A TCP daemon may speak TLS, so that only the connection tells.
    private static boolean listens(URI uri) throws IOException {
        SocketAddress address = new InetSocketAddress(String.valueOf(uri.getHost()), Math.max(uri.getPort(), 0));
        try (Socket socket = new Socket()) {
            socket.connect(address, Math.toIntExact(PATIENCE.toMillis()));
            return true;
        }
    }

    private static boolean pongs(Path path) throws IOException {
        if (!Files.exists(path)) {
            return false;
        }
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                Selector selector = Selector.open()) {
            channel.connect(UnixDomainSocketAddress.of(path));
            channel.write(ByteBuffer.wrap("GET /_ping HTTP/1.0\r\n\r\n".getBytes(US_ASCII)));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            return selector.select(PATIENCE.toMillis()) > 0 && channel.read(ByteBuffer.allocate(64)) > 0;
        }
    }
}
