// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.FanoutException;
import dev.fanout.StartRefusedException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Says what a role lacks. */
final class Rights {

    private Rights() {}

    static StartRefusedException refused(Database database, String role, String missing) {
        return refused(database, role, missing, null);
    }

    /** Returns the refusal where a right was missing, otherwise the failure itself where waiting helps. */
    static FanoutException orElse(Database database, String role, FanoutException failure) {
        if (!(failure.getCause() instanceof SQLException sql) || SqlFailures.unavailable(sql)) {
            return failure;
        }
        if (SqlFailures.forbidden(sql)) {
            return refused(
                    database, role, "a right in schema " + database.schema().value(), failure);
        }
        return new StartRefusedException("the store can't be opened: " + failure.getMessage(), failure);
    }

    private static StartRefusedException refused(
            Database database, String role, String missing, @Nullable Throwable cause) {
        String schema = database.schema().value();
        return new StartRefusedException(
                "role " + role + " lacks " + missing
                        + ": grant it, or let a DBA run the script of PostgresStore.script() and make " + role
                        + " a member of " + schema + "_appender (append only) or " + schema + "_runner",
                cause);
    }
}
