// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.FanoutException;
import dev.fanout.spi.Appends;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Borrows connections from the application's pool for one step at a time. Never holds two, and never one across a step,
 * so that a pool of size 1 is enough; gives each back with the autocommit mode and the network timeout that it came with.
 * Safe for use by many threads.
 */
public final class Sessions {

    private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);

    private final DataSource pool;
    private final Supplier<Duration> answer;

    /**
     * Makes sessions on a pool.
     *
     * @param pool the application's data source, whatever its autocommit default
     * @param answer how long an answer to a statement of the engine may take
     */
    public Sessions(DataSource pool, Supplier<Duration> answer) {
        this.pool = pool;
        this.answer = answer;
    }

    /**
     * Work on a connection.
     *
     * @param <R> what it returns
     * @param <X> what it may throw besides
     */
    @FunctionalInterface
    public interface Step<R, X extends Exception> {

        /**
         * Does the work.
         *
         * @param connection the connection, only for as long as the step runs
         * @return any result
         * @throws SQLException the driver's exception, which is then mapped
         * @throws X any other failure
         */
        R on(Connection connection) throws SQLException, X;
    }

    /**
     * Work on a connection that is in turns the engine's and the application's.
     *
     * @param <R> what it returns
     * @param <X> what it may throw besides
     */
    @FunctionalInterface
    interface SharedStep<R, X extends Exception> {

        R on(Connection connection, AnswerLimit limit) throws SQLException, X;
    }

    /**
     * Runs statements that each commit by themselves.
     *
     * @param <R> what the step returns
     * @param <X> what the step may throw besides
     * @param what what it is for, as messages say it: "reading the log"
     * @param step what to do
     * @return what the step returned
     * @throws X what the step threw
     */
    public <R, X extends Exception> R autocommit(String what, Step<R, X> step) throws X {
        try (Connection connection = pool.getConnection()) {
            AnswerLimit limit = new AnswerLimit(connection, answer.get());
            boolean before = connection.getAutoCommit();
            limit.set();
            try {
                connection.setAutoCommit(true);
                return step.on(connection);
            } finally {
                restore(connection, before);
                limit.lift();
            }
        } catch (SQLException e) {
            throw SqlFailures.of(what, e);
        }
    }

    /**
     * Runs a step in a transaction, and commits it. The driver sends BEGIN along with the first statement; the step
     * begins with {@code begin-engine.sql} where isolation and durability must not be the pool's.
     *
     * @param <R> what the step returns
     * @param <X> what the step may throw besides
     * @param what what it is for, as messages say it: "publishing"
     * @param step what to do; whatever it throws rolls back
     * @return what the step returned
     * @throws X what the step threw
     */
    public <R, X extends Exception> R transaction(String what, Step<R, X> step) throws X {
        return this.<R, X>shared(what, (connection, limit) -> {
            limit.set();
            return step.on(connection);
        });
    }

    /**
     * Runs a transaction that the engine shares with code of the application, which may take its time.
     *
     * @param <R> what the step returns
     * @param <X> what the step may throw besides
     * @param what what it is for, as messages say it
     * @param step what to do; it sets and lifts the limit, and what it leaves holds for the commit
     * @return what the step returned
     * @throws X what the step threw
     */
    <R, X extends Exception> R shared(String what, SharedStep<R, X> step) throws X {
        try (Connection connection = pool.getConnection()) {
            AnswerLimit limit = new AnswerLimit(connection, answer.get());
            boolean before = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                R result = step.on(connection, limit);
                connection.commit();
                return result;
            } catch (Throwable e) {
                limit.set();
                rollback(connection, e);
                throw e;
            } finally {
                restore(connection, before);
                limit.lift();
            }
        } catch (SQLException e) {
            throw SqlFailures.of(what, e);
        }
    }

    /**
     * Runs work of the application in a transaction, and commits it. What the work throws rolls back, and arrives as it
     * was thrown, the driver's exceptions included; only borrowing and committing are ours to report.
     *
     * @param <R> what the work returns
     * @param what what it is for, as messages say it
     * @param work what to do
     * @return what the work returned
     * @throws Exception what the work threw
     */
    public <R> R lend(String what, Appends.Work<Connection, R> work) throws Exception {
        try {
            return this.<R, RuntimeException>shared(what, (connection, limit) -> {
                R result = carried(work, connection);
                refuseIfFailed(connection);
                return result;
            });
        } catch (Carried e) {
            throw e.thrown;
        }
    }

    /** The driver answers the commit of a failed transaction as if it had been one, though the server rolls back. */
    private static void refuseIfFailed(Connection connection) throws SQLException {
        if (!connection.getAutoCommit() && isFailed(connection)) {
            throw new FanoutException(
                    "nothing was committed: a statement of the transaction failed, and the work went on"
                            + " and returned: let the exception out, or roll back to a savepoint set before the statement");
        }
    }

    private static boolean isFailed(Connection connection) throws SQLException {
        if (connection.isWrapperFor(BaseConnection.class)) {
            return connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.FAILED;
        }
        return isFailedAsTheServerSays(connection);
    }

    /** Where a wrapper hides the driver's connection, a round trip tells. (isValid would not: the connection is fine.) */
    private static boolean isFailedAsTheServerSays(Connection connection) throws SQLException {
        try {
            connection.setSavepoint();
            return false;
        } catch (SQLException e) {
            if (SqlFailures.failedTransaction(e)) {
                return true;
            }
            throw e;
        }
    }

    private static <R> R carried(Appends.Work<Connection, R> work, Connection connection) {
        try {
            return work.in(connection);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new Carried(e);
        }
    }

    /** Takes a checked exception of the application past our own handling of the driver's. */
    private static final class Carried extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final Exception thrown;

        private Carried(Exception thrown) {
            super(thrown);
            this.thrown = thrown;
        }
    }

    private static void rollback(Connection connection, Throwable because) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }

    /** A broken connection can't be restored, and need not be: its pool throws it away. */
    private static void restore(Connection connection, boolean autoCommit) {
        try {
            if (connection.getAutoCommit() != autoCommit) {
                connection.setAutoCommit(autoCommit);
            }
        } catch (SQLException broken) {
            LOG.debug("a connection that is given back is broken", broken);
        }
    }
}
