// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres;

import dev.fanout.FanoutException;
import java.sql.SQLException;
import java.util.Objects;

/**
 * Says that PostgreSQL refused a statement for a reason that is none of this library's: a serialization failure, a
 * deadlock with the application's own locks, a statement timeout, a transaction that had failed before.
 *
 * <p>Thrown out of an append, it leaves the application's transaction as PostgreSQL left it: failed. Roll back; where
 * {@link #retryable()}, run the transaction again. The driver's exception is the cause.
 */
public final class SqlFailedException extends FanoutException {

    private static final long serialVersionUID = 1L;

    private final String sqlState;

    /**
     * Makes the exception.
     *
     * @param what what was tried
     * @param cause the driver's exception
     */
    public SqlFailedException(String what, SQLException cause) {
        super(what + ": SQLState " + cause.getSQLState() + ", " + cause.getMessage(), cause);
        this.sqlState = Objects.requireNonNullElse(cause.getSQLState(), "");
    }

    /**
     * Returns what PostgreSQL answered.
     *
     * @return the five characters of the SQLState, or nothing where the driver gave none
     */
    public String sqlState() {
        return sqlState;
    }

    /**
     * Says whether the same transaction, run again from its beginning, may succeed.
     *
     * @return whether it was a serialization failure or a deadlock (class 40)
     */
    public boolean retryable() {
        return sqlState.startsWith("40");
    }
}
