// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import dev.fanout.testkit.internal.ProxiedConnection;
import dev.fanout.testkit.internal.ProxyGate;
import dev.fanout.testkit.internal.ProxyGate.Flow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A TCP proxy on the loopback interface that stands before a PostgreSQL server, counts what passes and breaks it on
 * demand.
 *
 * <p>It understands enough of PostgreSQL's protocol to count round trips: whatever a client sends in one go counts once
 * if its last message asks for an answer (Query, Sync, FunctionCall, end of a COPY), so that a {@code BEGIN} that the
 * driver sends along with a statement costs none. It does not see into TLS; {@link #jdbcUrl()} turns that off. Safe for use by many threads.
 */
public final class TcpProxy implements AutoCloseable {

    private final InetSocketAddress target;
    private final String targetUrl;
    private final ServerSocket listener;
    private final ProxyGate gate = new ProxyGate();
    private final Set<ProxiedConnection> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong roundTrips = new AtomicLong();
    private final Thread acceptor = new Thread(this::acceptAll, "fanout-testkit-proxy");
    private volatile boolean refusing;

    private TcpProxy(InetSocketAddress target, String targetUrl, ServerSocket listener) {
        this.target = target;
        this.targetUrl = targetUrl;
        this.listener = listener;
    }

    /**
     * Starts a proxy before the server of a JDBC URL.
     *
     * @param jdbcUrl {@code jdbc:postgresql://host:port/database}, such as {@link TestDatabase#jdbcUrl()}
     * @return the proxy, forwarding
     */
    public static TcpProxy inFrontOf(String jdbcUrl) {
        URI address = URI.create(jdbcUrl.substring("jdbc:".length()));
        if (address.getHost() == null) {
            throw new IllegalArgumentException("A proxy needs one host in jdbc:postgresql://host:port/database");
        }
        int port = address.getPort() < 0 ? 5432 : address.getPort();
        TcpProxy proxy = new TcpProxy(new InetSocketAddress(address.getHost(), port), jdbcUrl, listen());
        proxy.acceptor.setDaemon(true);
        proxy.acceptor.start();
        return proxy;
    }

    /**
     * The address of the same database through this proxy, without TLS.
     *
     * @return a JDBC URL
     */
    public String jdbcUrl() {
        String rest = targetUrl.substring(targetUrl.indexOf('/', "jdbc:postgresql://".length()));
        String separator = rest.contains("?") ? "&" : "?";
        return "jdbc:postgresql://127.0.0.1:" + port() + rest + separator + "sslmode=disable&gssEncMode=disable";
    }

    /**
     * The port that it listens on.
     *
     * @return the port
     */
    public int port() {
        return listener.getLocalPort();
    }

    /**
     * How many connections clients have opened so far.
     *
     * @return the number, refused ones not counted
     */
    public long connections() {
        return accepted.get();
    }

    /**
     * How many connections are open now.
     *
     * @return the number
     */
    public int openConnections() {
        return open.size();
    }

    /**
     * How often clients have waited for the server so far, logging in not counted.
     *
     * @return the number of round trips
     */
    public long roundTrips() {
        return roundTrips.get();
    }

    /** Stops forwarding in both directions. Connections stay open and silent, new ones too: no error tells anyone. */
    public void blackHole() {
        gate.hold(Flow.TO_SERVER, true);
        gate.hold(Flow.TO_CLIENT, true);
    }

    /** Stops forwarding answers only: the server does what it is asked, and the client never hears of it. */
    public void blackHoleAnswers() {
        gate.hold(Flow.TO_CLIENT, true);
    }

    /**
     * Delays everything that is forwarded from now on.
     *
     * @param delay the time that each piece waits in each direction, so that a round trip takes twice as much longer
     */
    public void delay(Duration delay) {
        gate.delay(delay);
    }

    /** Resets all connections that are open now; new ones are accepted. */
    public void cut() {
        open.forEach(ProxiedConnection::reset);
    }

    /** Resets all connections, and each new one at once, until {@link #resume()}. */
    public void refuse() {
        refusing = true;
        cut();
    }

    /** Forwards again: what was held back in a black hole first, then without delay. */
    public void resume() {
        refusing = false;
        gate.open();
    }

    /**
     * Forwards again what is connected from now on. Connections that are open now stay silent for ever, and no error tells
     * anyone: a firewall or a balancer that has lost its state.
     */
    public void resumeWithNewConnectionsOnly() {
        open.forEach(ProxiedConnection::lose);
        resume();
    }

    /** Stops listening, resets all connections and waits until its threads have ended. */
    @Override
    public void close() {
        refuse();
        try {
            listener.close();
            acceptor.join();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not close the proxy on port " + port(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        cut();
        open.forEach(ProxiedConnection::join);
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                accept(listener.accept());
            } catch (IOException closed) {
                // The loop's condition tells whether this was the end.
            }
        }
    }

    private void accept(Socket client) throws IOException {
        ProxiedConnection connection =
                new ProxiedConnection(client, target, gate, roundTrips::incrementAndGet, open::remove);
        // MUST be known before refusing is read: a cut then either sees it or makes this thread see the refusal.
        open.add(connection);
        if (refusing) {
            connection.reset();
            open.remove(connection);
            return;
        }
        accepted.incrementAndGet();
        connection.start();
    }

    private static ServerSocket listen() {
        try {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException("No free port on the loopback interface", e);
        }
    }
}
