// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import dev.fanout.testkit.internal.Sql;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What is done to whole databases, on connections of its own to the maintenance database. */
final class Databases {

    /** Work on one connection. */
    interface Work<R> {
        R with(Connection connection) throws SQLException;
    }

    private Databases() {}

    static TestDatabase create(PostgresServer server) {
        String name = newName();
        execute(server, Sql.named("create-database", "database", name));
        return new TestDatabase(server, name);
    }

    static TestDatabase cloneOf(PostgresServer server, String template) {
        String name = newName();
        execute(server, Sql.fill(Sql.named("clone-database", "template", template), "database", name));
        return new TestDatabase(server, name);
    }

    static void seal(PostgresServer server, String template) {
        execute(server, Sql.named("seal-template", "template", template));
    }

    static void drop(PostgresServer server, String database) {
        execute(server, Sql.named("drop-database", "database", database));
    }

    static List<Backend> backends(PostgresServer server, String database) {
        return onMaintenance(server, connection -> listBackends(connection, database));
    }

    /** Those that are still connected when the grace is over. */
    static List<Backend> backendsAfter(PostgresServer server, String database, Duration grace) {
        long end = System.nanoTime() + grace.toNanos();
        return onMaintenance(server, connection -> {
            List<Backend> left = listBackends(connection, database);
            while (!left.isEmpty() && System.nanoTime() < end) {
                waitALittle(connection);
                left = listBackends(connection, database);
            }
            return left;
        });
    }

    static int terminateBackends(PostgresServer server, String database) {
        return onMaintenance(server, connection -> {
            try (PreparedStatement terminate = connection.prepareStatement(Sql.named("terminate-backends"))) {
                terminate.setString(1, database);
                try (ResultSet ended = terminate.executeQuery()) {
                    ended.next();
                    return ended.getInt(1);
                }
            }
        });
    }

    /** Refuses a server that answers on our port and is not ours. */
    static void requireDataDirectory(PostgresServer server, Path expected) {
        String actual = onMaintenance(server, connection -> {
            try (Statement show = connection.createStatement();
                    ResultSet row = show.executeQuery(Sql.named("show-data-directory"))) {
                row.next();
                return row.getString(1);
            }
        });
        if (!Path.of(actual).equals(expected)) {
            throw new IllegalStateException(
                    "Another server answers at " + server + ": its data are in " + actual + ", not in " + expected);
        }
    }

    private static String newName() {
        return "fanout_test_" + UUID.randomUUID().toString().replace("-", "");
    }

    private static List<Backend> listBackends(Connection connection, String database) throws SQLException {
        List<Backend> backends = new ArrayList<>();
        try (PreparedStatement list = connection.prepareStatement(Sql.named("list-backends"))) {
            list.setString(1, database);
            try (ResultSet rows = list.executeQuery()) {
                while (rows.next()) {
                    backends.add(new Backend(rows.getInt(1), rows.getString(2), rows.getString(3), rows.getString(4)));
                }
            }
        }
        return List.copyOf(backends);
    }

    private static void waitALittle(Connection connection) throws SQLException {
        try (Statement pause = connection.createStatement()) {
            pause.execute(Sql.named("pause"));
        }
    }

    private static void execute(PostgresServer server, String sql) {
        onMaintenance(server, connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
            }
        });
    }

    private static <R> R onMaintenance(PostgresServer server, Work<R> work) {
        try (Connection connection = server.connect(server.maintenanceDatabase())) {
            return work.with(connection);
        } catch (SQLException e) {
            throw new IllegalStateException("Could not administer " + server + ": " + e.getMessage(), e);
        }
    }
}
