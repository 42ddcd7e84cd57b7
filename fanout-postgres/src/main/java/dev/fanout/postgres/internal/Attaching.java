// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.StartRefusedException;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Limits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The statements that attach and detach, within somebody's transaction. Locks are taken in one order by all: stream, attachment,
 * leases.
 */
final class Attaching {

    private final Statements statements;

    Attaching(Statements statements) {
        this.statements = statements;
    }

    /** A stream whose row is locked. */
    record LockedStream(int no, Duration retention) {}

    /**
     * Attaches a child unless its name is taken, by one that is detached too.
     *
     * @return whether it was attached
     */
    boolean attach(Connection connection, Declaration.Child child) throws SQLException {
        LockedStream stream = lock(connection, child.stream());
        if (stream == null) {
            throw new StartRefusedException("child '" + child.name() + "' hangs on stream '" + child.stream()
                    + "', which is not stored; declare the stream");
        }
        Limits.checkRetention(child.stream(), stream.retention(), child.name(), child.delay());
        boolean attached = insert(connection, child) > 0;
        if (attached) {
            Limits.checkChildren(child.stream(), count(connection, "count-children", stream.no()));
        }
        return attached;
    }

    /**
     * Attaches a child that is new or was detached.
     *
     * @return whether it was attached
     */
    boolean attachAgain(Connection connection, Declaration.Child child) throws SQLException {
        // MUST come first: two that attach at once would each hold what the other waits for
        lock(connection, child.stream());
        boolean wasDetached = update(connection, "forget-detached", child.name()) > 0;
        boolean attached = attach(connection, child);
        if (attached && wasDetached) {
            update(connection, "raise-tokens", child.name());
        }
        return attached;
    }

    /** Returns null where there is no such stream. */
    @Nullable
    LockedStream lock(Connection connection, String stream) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.get("lock-stream"))) {
            Parameters.of(statement).add(stream);
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? new LockedStream(row.getInt(1), Duration.of(row.getLong(2), ChronoUnit.MICROS))
                        : null;
            }
        }
    }

    /** Returns how many cursors were made. */
    private int insert(Connection connection, Declaration.Child child) throws SQLException {
        try (PreparedStatement attach = connection.prepareStatement(statements.get("attach-child"))) {
            Parameters.of(attach)
                    .add(child.name())
                    .add(child.stream())
                    .add(child.target())
                    .add(child.epoch())
                    .add(child.kind())
                    .add(EventRows.micros(child.delay()))
                    .add(child.fromBeginning())
                    .add(child.filter())
                    .add(child.fromBeginning());
            return attach.executeUpdate();
        }
    }

    /** Detaches a child; returns whether it was attached. */
    boolean detach(Connection connection, String child) throws SQLException {
        boolean detached = any(connection, "detach-child", child);
        if (detached) {
            update(connection, "raise-tokens", child);
        }
        return detached;
    }

    private boolean any(Connection connection, String name, String child) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.get(name))) {
            Parameters.of(statement).add(child);
            return Answers.of(statement).any();
        }
    }

    private int update(Connection connection, String name, String child) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.get(name))) {
            Parameters.of(statement).add(child);
            return statement.executeUpdate();
        }
    }

    long count(Connection connection, String name, int stream) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.get(name))) {
            Parameters.of(statement).add(stream);
            return Answers.of(statement).number();
        }
    }
}
