// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.StartRefusedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Refuses a schema that would work for a while and then lose or refuse something. */
final class SchemaChecks {

    private final Database database;

    SchemaChecks(Database database) {
        this.database = database;
    }

    void check(Server server) {
        database.sessions().autocommit("checking the schema", connection -> {
            checkRights(connection, server);
            checkSequences(connection);
            return true;
        });
    }

    void checkRunner(Server server) {
        database.sessions().autocommit("checking the rights of a runner", connection -> {
            refuseIfAny(column(connection, "missing-runner-rights"), server);
            return true;
        });
    }

    private void checkRights(Connection connection, Server server) throws SQLException {
        refuseIfAny(column(connection, "missing-rights"), server);
    }

    private void refuseIfAny(List<String> missing, Server server) {
        if (!missing.isEmpty()) {
            throw Rights.refused(
                    database,
                    server.role(),
                    String.join(", ", missing) + " in schema "
                            + database.schema().value());
        }
    }

    private void checkSequences(Connection connection) throws SQLException {
        List<String> odd = column(connection, "odd-sequences");
        if (!odd.isEmpty()) {
            throw new StartRefusedException("sequences of schema "
                    + database.schema().value() + " must have CACHE 1, INCREMENT 1 and NO CYCLE, or the order of ids"
                    + " would no longer be the order of commits; but: " + String.join(", ", odd)
                    + ". Use ALTER SEQUENCE .. CACHE 1 INCREMENT 1 NO CYCLE, and open again");
        }
    }

    private List<String> column(Connection connection, String statement) throws SQLException {
        List<String> values = new ArrayList<>();
        try (PreparedStatement ask =
                        connection.prepareStatement(database.statements().get(statement));
                ResultSet row = ask.executeQuery()) {
            while (row.next()) {
                values.add(row.getString(1));
            }
        }
        return values;
    }
}
