// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Lease;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Runs steps under a lease that are one round trip, BEGIN and COMMIT included. Safe for use by many threads.
 *
 * <p>The statements of a step are joined, and on a connection that commits by itself the driver sends one Sync, behind the
 * last of them: the server takes them for one implicit transaction, and commits it unless one of them fails. So what must
 * hold is demanded by statements that fail themselves ({@code demand-lease.sql}, {@code demand-tails.sql}), and their states
 * are told apart here. Nothing is in doubt for longer: an owner that stops after sending holds no lock until it comes back.
 *
 * <p>An implicit transaction has the session's isolation. Where the application's pool defaults to another than READ COMMITTED,
 * or to read-only, {@code begin-step.sql} refuses before anything is written; this and all later steps then open a
 * transaction of their own, which takes a second round trip.
 */
final class OwnedSteps {

    /**
     * The statements of a step.
     *
     * @param <R> what it returns
     */
    @FunctionalInterface
    interface Step<R> {

        /**
         * Sends the statements and reads the answers.
         *
         * @param connection the connection
         * @param opening the statement that MUST be the first
         * @param answers how many answers that one has
         */
        R on(Connection connection, String opening, int answers) throws SQLException;
    }

    private final Sessions sessions;
    private volatile boolean explicit;

    OwnedSteps(Sessions sessions) {
        this.sessions = sessions;
    }

    <R> R run(String what, Lease lease, Step<R> step) {
        if (!explicit) {
            try {
                return sessions.autocommit(
                        what, connection -> judged(lease, () -> step.on(connection, "begin-step", 1)));
            } catch (OtherDefaults refused) {
                explicit = true;
            }
        }
        return sessions.transaction(what, connection -> judged(lease, () -> step.on(connection, "begin-engine", 2)));
    }

    private static <R> R judged(Lease lease, Sent<R> step) throws SQLException {
        try {
            return step.answer();
        } catch (SQLException e) {
            if (SqlFailures.fenced(e)) {
                throw new FencedException(lease);
            }
            if (SqlFailures.forgotten(e)) {
                throw new ForgottenException(String.valueOf(e.getMessage()));
            }
            if (SqlFailures.otherDefaults(e)) {
                throw new OtherDefaults(e);
            }
            throw SqlFailures.ofReading("answering a step of " + lease.resource(), e);
        }
    }

    @FunctionalInterface
    private interface Sent<R> {
        R answer() throws SQLException;
    }

    /** The session does not default to what an implicit transaction needs. */
    private static final class OtherDefaults extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private OtherDefaults(SQLException refusal) {
            super(refusal);
        }
    }
}
