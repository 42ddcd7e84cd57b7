// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import dev.fanout.testkit.internal.ProxyGate.Flow;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.Consumer;

/** One client's connection through a proxy: two sockets and a thread for each direction. */
public final class ProxiedConnection {

    private static final int CHUNK = 16 * 1024;

    private final Socket client;
    private final Socket server = new Socket();
    private final InetSocketAddress target;
    private final ProxyGate gate;
    private final Runnable roundTrip;
    private final Consumer<ProxiedConnection> atEnd;
    private final Thread toServer = new Thread(this::forwardRequests, "fanout-testkit-proxy-to-server");
    private final Thread toClient = new Thread(this::forwardAnswers, "fanout-testkit-proxy-to-client");
    private volatile boolean givenUp;
    private volatile boolean lost;

    /** A connection that a client has made; it is connected on when the gate lets it. */
    public ProxiedConnection(
            Socket client,
            InetSocketAddress target,
            ProxyGate gate,
            Runnable roundTrip,
            Consumer<ProxiedConnection> atEnd) {
        this.client = client;
        this.target = target;
        this.gate = gate;
        this.roundTrip = roundTrip;
        this.atEnd = atEnd;
    }

    /** Begins to forward. */
    public void start() {
        toServer.setDaemon(true);
        toClient.setDaemon(true);
        toServer.start();
    }

    /** Ends both sides with a reset. */
    public void reset() {
        givenUp = true;
        resetAndClose(client);
        resetAndClose(server);
        gate.nudge();
    }

    /** Swallows everything from now on, and tells neither side. */
    public void lose() {
        lost = true;
    }

    /** Waits until nothing is forwarded any more. */
    public void join() {
        try {
            toServer.join();
            toClient.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void forwardRequests() {
        FrontendMessages messages = new FrontendMessages();
        try {
            if (gate.pass(Flow.TO_SERVER, () -> givenUp)) {
                connect();
                pump(client, server, Flow.TO_SERVER, (bytes, length) -> {
                    if (messages.endsInWait(bytes, length)) {
                        roundTrip.run();
                    }
                });
            }
        } catch (IOException | InterruptedException broken) {
            reset();
        }
        join(toClient);
        close(client);
        close(server);
        atEnd.accept(this);
    }

    private void forwardAnswers() {
        try {
            pump(server, client, Flow.TO_CLIENT, (bytes, length) -> {});
        } catch (IOException | InterruptedException broken) {
            reset();
        }
    }

    private void connect() throws IOException {
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        server.connect(target);
        toClient.start();
    }

    private interface Listener {
        void hear(byte[] bytes, int length);
    }

    private void pump(Socket from, Socket to, Flow flow, Listener listener) throws IOException, InterruptedException {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        byte[] chunk = new byte[CHUNK];
        for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
            listener.hear(chunk, read);
            if (!gate.pass(flow, () -> givenUp)) {
                return;
            }
            if (!lost) {
                out.write(chunk, 0, read);
            }
        }
        // The end of a stream is data too: a black hole lets no FIN pass.
        if (gate.pass(flow, () -> givenUp) && !lost) {
            to.shutdownOutput();
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void resetAndClose(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException alreadyClosed) {
            return;
        }
        close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not close " + socket, e);
        }
    }
}
