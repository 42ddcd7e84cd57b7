// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.FanoutException;
import dev.fanout.StoreUnavailableException;
import dev.fanout.postgres.SqlFailedException;
import dev.fanout.spi.UnreadableException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells what a driver's exception means, by its SQLState and never by its text. */
public final class SqlFailures {

    /** admin_shutdown, crash_shutdown, cannot_connect_now, idle_session_timeout. */
    private static final Set<String> SERVER_LEAVES = Set.of("57P01", "57P02", "57P03", "57P05");

    /** idle_in_transaction_session_timeout, transaction_timeout: both end the session. */
    private static final Set<String> SESSION_ENDED = Set.of("25P03", "25P04");

    private static final Set<String> TOO_MUCH = Set.of("54000", "53200");

    private SqlFailures() {}

    /**
     * Turns a driver's exception into one of ours.
     *
     * @param what what was tried
     * @param failure the driver's exception
     * @return what to throw
     */
    public static FanoutException of(String what, SQLException failure) {
        return unavailable(failure)
                ? new StoreUnavailableException(
                        what + ": the database can't be reached or was lost on the way", failure)
                : new SqlFailedException(what, failure);
    }

    /**
     * Picks out of the driver's exceptions those that say that so much can't be read.
     *
     * @param what what was read
     * @param failure the driver's exception
     * @return the driver's exception, where it says anything else
     * @throws UnreadableException if less may be readable
     */
    static SQLException ofReading(String what, SQLException failure) {
        if (unreadable(failure)) {
            throw new UnreadableException(what + ": what is stored there can't be read at once", failure);
        }
        return failure;
    }

    /**
     * Says whether the database could not be reached, had no room, or was lost on the way.
     *
     * @param failure the driver's or the pool's exception
     * @return whether trying again later is right
     */
    public static boolean unavailable(SQLException failure) {
        String state = state(failure);
        return failure instanceof SQLTransientConnectionException
                || state.startsWith("08")
                || (state.startsWith("53") && !unreadable(failure))
                || SERVER_LEAVES.contains(state)
                || SESSION_ENDED.contains(state);
    }

    /**
     * Says whether an answer was more than the server can make (program_limit_exceeded), or than a process, the server's or
     * this one, has memory for (out_of_memory, which the driver says of itself too).
     *
     * @param failure the driver's exception
     * @return whether asking for less may help
     */
    static boolean unreadable(SQLException failure) {
        return TOO_MUCH.contains(state(failure));
    }

    /**
     * Says whether a statement wrote where nothing can be written.
     *
     * @param failure the driver's exception
     * @return whether the transaction is read-only
     */
    static boolean readOnly(SQLException failure) {
        return state(failure).equals("25006");
    }

    /**
     * Says whether an earlier statement had failed the transaction.
     *
     * @param failure the driver's exception
     * @return whether only a rollback is possible
     */
    static boolean failedTransaction(SQLException failure) {
        return state(failure).equals("25P02");
    }

    /**
     * Says whether the tables or functions are not there, or may not be used.
     *
     * @param failure the driver's exception
     * @return whether a schema, table or function was missing
     */
    static boolean missing(SQLException failure) {
        return Set.of("3F000", "42P01", "42883").contains(state(failure));
    }

    /**
     * Says whether a right was missing.
     *
     * @param failure the driver's exception
     * @return whether it was
     */
    static boolean forbidden(SQLException failure) {
        return state(failure).equals("42501");
    }

    /**
     * Says whether a step of the engine was refused because another owns its lease.
     *
     * @param failure the driver's exception
     * @return whether it was
     */
    static boolean fenced(SQLException failure) {
        return state(failure).equals("FO002");
    }

    /**
     * Says whether a step of the engine was refused because the database has lost commits.
     *
     * @param failure the driver's exception
     * @return whether it was
     */
    static boolean forgotten(SQLException failure) {
        return state(failure).equals("FO003");
    }

    /**
     * Says whether a step of the engine was refused because the session's defaults are not those of the server.
     *
     * @param failure the driver's exception
     * @return whether it was
     */
    static boolean otherDefaults(SQLException failure) {
        return state(failure).equals("FO004");
    }

    private static String state(SQLException failure) {
        @Nullable String state = failure.getSQLState();
        return state == null ? "" : state;
    }
}
