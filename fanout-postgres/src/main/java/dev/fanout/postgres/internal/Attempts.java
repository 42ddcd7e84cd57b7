// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects on a thread of its own and gives up waiting, since nothing else bounds a login: the driver waits for the server's
 * answer as long as the data source lets it, by default for ever. Safe for use by many threads.
 *
 * <p>An attempt that was given up still hangs in the driver, and nothing can end it but its socket. So while one hangs, no other
 * is begun; but after {@link #WRITTEN_OFF}, which doubles each time, it is written off, so that a socket that never ends does not
 * cost the connection for good. A data source with timeouts of its own never comes to that.
 */
final class Attempts {

    static final Duration WRITTEN_OFF = Duration.ofSeconds(8);

    private static final Duration LONGEST = Duration.ofMinutes(8);

    private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

    /** What opens a connection, and may take for ever. */
    @FunctionalInterface
    interface Source {

        Connection connect() throws SQLException;
    }

    private final String purpose;
    private @Nullable Attempt hanging;
    private Duration patience = WRITTEN_OFF;

    Attempts(String purpose) {
        this.purpose = purpose;
    }

    /** One attempt: whoever waited may leave, and then the connection, if it comes, is closed. */
    private static final class Attempt implements Runnable {
        private final Source source;
        private final CompletableFuture<Connection> answer = new CompletableFuture<>();
        private final Thread thread;
        private final long begun = System.nanoTime();

        Attempt(Source source, String purpose) {
            this.source = source;
            this.thread = new Thread(this, "fanout-connect-" + purpose);
            thread.setDaemon(true);
        }

        @Override
        public void run() {
            try {
                Connection connection = source.connect();
                if (!answer.complete(connection)) {
                    connection.close();
                }
            } catch (SQLException | RuntimeException | Error failure) {
                answer.completeExceptionally(failure);
            }
        }
    }

    Connection connect(Source source, Duration atMost) throws SQLException {
        Attempt attempt = begin(source);
        try {
            attempt.thread.join(atMost.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        attempt.answer.completeExceptionally(new SQLTransientConnectionException(
                "no connection for " + purpose + " within " + atMost + ": the network or the server is silent",
                "08001"));
        return answer(attempt);
    }

    private synchronized Attempt begin(Source source) throws SQLException {
        Attempt last = hanging;
        if (last == null || !last.thread.isAlive()) {
            patience = WRITTEN_OFF;
        } else if (System.nanoTime() - last.begun < patience.toNanos()) {
            throw new SQLTransientConnectionException(
                    "the last attempt to connect for " + purpose + " still hangs in the driver", "08001");
        } else {
            LOG.debug("an attempt to connect hangs for {} and is written off. purpose={}", patience, purpose);
            Duration doubled = patience.multipliedBy(2);
            patience = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
        }
        Attempt next = new Attempt(source, purpose);
        hanging = next;
        next.thread.start();
        return next;
    }

    private static Connection answer(Attempt attempt) throws SQLException {
        try {
            return attempt.answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted while connecting", "08001", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException failure) {
                throw failure;
            }
            throw new SQLException("connecting failed", e.getCause());
        }
    }
}
