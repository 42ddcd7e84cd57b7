// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** The listener's connection: everything that is said on it. Used by the listener's thread alone, but for {@link #abort}. */
final class ListenerSession implements AutoCloseable {

    private final Connection connection;
    private final PGConnection driver;
    private final Statements statements;
    private final WakeNames names;
    private final List<String> channels;
    private long lastAnswer = System.nanoTime();

    ListenerSession(Connection connection, Statements statements, WakeNames names, List<String> channels)
            throws SQLException {
        this.connection = connection;
        this.driver = connection.unwrap(PGConnection.class);
        this.statements = statements;
        this.names = names;
        this.channels = channels;
    }

    void listen() throws SQLException {
        execute(statements.get("keep-session-alive"));
        for (String channel : channels) {
            // LISTEN takes a name and no parameter; ours are letters, digits and '_'
            execute(statements.get("listen").replace("${channel}", channel));
        }
    }

    /** Returns the channels that notified, after waiting for the first at most so long; zero only looks. */
    List<String> heard(Duration wait) throws SQLException {
        PGNotification[] notifications =
                wait.isZero() ? driver.getNotifications() : driver.getNotifications(Math.toIntExact(wait.toMillis()));
        if (notifications == null || notifications.length == 0) {
            return List.of();
        }
        return Stream.of(notifications).map(PGNotification::getName).distinct().toList();
    }

    boolean tryLock(int lane) throws SQLException {
        try (PreparedStatement statement = prepare("try-wake-lock")) {
            statement.setLong(1, names.key(lane));
            return answer(statement) == 1;
        }
    }

    /** Lets go of a lane's lock, and returns the lowest transaction id that had not been given out afterwards. */
    long unlock(int lane) throws SQLException {
        try (PreparedStatement statement = prepare("release-wake-lock")) {
            statement.setLong(1, names.key(lane));
            if (answer(statement) != 1) {
                throw new SQLException(
                        "the session that took the wake lock of lane " + lane
                                + " is not the one that answers: is there a transaction pooler in between?",
                        "08003");
            }
        }
        // MUST be a later statement: 6.2's proof needs every append that was refused to have a lower id
        try (PreparedStatement statement = prepare("read-next-transaction-id")) {
            return answer(statement);
        }
    }

    /** Ends whatever other session holds a lane's lock, and says how many there were. */
    long endOtherHolder(int lane) throws SQLException {
        try (PreparedStatement statement = prepare("terminate-wake-holder")) {
            statement.setLong(1, names.key(lane));
            return answer(statement);
        }
    }

    /** Asks whether the session still listens, if there was no answer for some time. A dead connection fails here. */
    void pingAfter(Duration silence) throws SQLException {
        if (System.nanoTime() - lastAnswer < silence.toNanos()) {
            return;
        }
        try (PreparedStatement statement = prepare("count-listening")) {
            if (answer(statement) < channels.size()) {
                throw new SQLException(
                        "the session no longer listens: is there a transaction pooler in between?", "08003");
            }
        }
    }

    private PreparedStatement prepare(String name) throws SQLException {
        return connection.prepareStatement(statements.get(name));
    }

    /** The single number of a single row. A truth is one, an untruth zero. */
    private long answer(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            rows.next();
            lastAnswer = System.nanoTime();
            return rows.getLong(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.execute();
        }
        lastAnswer = System.nanoTime();
    }

    /** Breaks the connection from another thread: whoever waits on it fails at once. */
    void abort() throws SQLException {
        connection.abort(Runnable::run);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
