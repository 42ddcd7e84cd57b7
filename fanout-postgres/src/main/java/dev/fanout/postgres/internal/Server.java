// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.StartRefusedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What was found out about the server and the session's role.
 *
 * @param version the number, such as 170011
 * @param shown the same for people
 * @param standby whether it is in recovery
 * @param readOnly whether sessions can't write
 * @param role the role that statements run as
 * @param hasSchema whether the schema is there
 * @param mayUse whether the role may use it
 * @param hasHistory whether it has a history of migrations
 */
record Server(
        int version,
        String shown,
        boolean standby,
        boolean readOnly,
        String role,
        boolean hasSchema,
        boolean mayUse,
        boolean hasHistory) {

    private static final int OLDEST = 150_000;

    static Server read(Database database) {
        return database.sessions().autocommit("looking at the server", connection -> {
            database.wakeNames(connection);
            return read(connection, database.statements().get("check-server"));
        });
    }

    private static Server read(Connection connection, String sql) throws SQLException {
        try (PreparedStatement ask = connection.prepareStatement(sql);
                ResultSet row = ask.executeQuery()) {
            row.next();
            return new Server(
                    row.getInt("version_num"),
                    row.getString("version"),
                    row.getBoolean("standby"),
                    row.getBoolean("read_only"),
                    row.getString("role"),
                    row.getBoolean("has_schema"),
                    row.getBoolean("may_use"),
                    row.getBoolean("has_history"));
        }
    }

    /**
     * Refuses a server that can't carry a store.
     *
     * @return this
     * @throws StartRefusedException if it is too old, a standby, or read-only
     */
    Server check() {
        if (version < OLDEST) {
            throw new StartRefusedException("PostgreSQL " + shown + " is older than 15, the oldest supported: upgrade");
        }
        if (standby) {
            throw new StartRefusedException("the server is a standby (in recovery), and a store needs the primary:"
                    + " connect there, with targetServerType=primary where the URL names several hosts");
        }
        if (readOnly) {
            throw new StartRefusedException("sessions of role " + role + " are read-only, and a store writes:"
                    + " set default_transaction_read_only to off, and the pool's read-only flag");
        }
        return this;
    }
}
