// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.FanoutException;
import dev.fanout.StartRefusedException;
import dev.fanout.postgres.MigrationMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;

/**
 * Brings the schema to this release, or finds that it is.
 *
 * <p>The history is compared by one query first, so that a start that has nothing to do needs no more rights and no more
 * connections than any other statement. Only where something is missing does Flyway come in: with its own schema, history
 * and location, and nothing of the application's configuration. Processes that start at once wait for each other on
 * advisory locks of the transaction: ours around the schema, Flyway's around the history.
 */
final class Migrations {

    private static final String HISTORY = "flyway_schema_history";
    private static final String LOCATION = "classpath:dev/fanout/postgres/migration";

    private final Database database;
    private final MigrationMode mode;

    Migrations(Database database, MigrationMode mode) {
        this.database = database;
        this.mode = mode;
    }

    private record Done(String version, String script, int checksum, boolean success) {}

    /**
     * Makes the schema that of this release.
     *
     * @param server what was found out about the server
     * @throws StartRefusedException if it is newer, was changed, or is older and may not be migrated
     */
    void bringUp(Server server) {
        List<Migration> wanted = Migration.all();
        List<Done> done = server.hasHistory() ? readHistory(server) : List.of();
        compare(wanted, done);
        if (done.size() == wanted.size()) {
            return;
        }
        if (mode == MigrationMode.VALIDATE) {
            throw new StartRefusedException("schema " + schema() + " has " + done.size() + " of the " + wanted.size()
                    + " migrations of this release, and the mode is VALIDATE: let a DBA run the script of"
                    + " PostgresStore.script(), or use MigrationMode.MIGRATE");
        }
        migrate(server);
    }

    private void compare(List<Migration> wanted, List<Done> done) {
        if (done.size() > wanted.size()) {
            Done newest = done.get(done.size() - 1);
            throw new StartRefusedException("schema " + schema() + " is at version " + newest.version()
                    + ", newer than this release, which knows version "
                    + wanted.get(wanted.size() - 1).version() + ": upgrade fanout-postgres in this process");
        }
        for (int i = 0; i < done.size(); i++) {
            compare(wanted.get(i), done.get(i));
        }
    }

    private void compare(Migration wanted, Done done) {
        if (!done.success()) {
            throw new StartRefusedException("migration " + done.script() + " of schema " + schema()
                    + " once failed: see its row in " + schema() + "." + HISTORY + ", repair, and remove the row");
        }
        if (!done.version().equals(wanted.version()) || done.checksum() != wanted.checksum()) {
            throw new StartRefusedException("schema " + schema() + " was made by " + done.script() + " with checksum "
                    + done.checksum() + ", this release has " + wanted.script() + " with " + wanted.checksum()
                    + ": use the release that made it, or another schema");
        }
    }

    private List<Done> readHistory(Server server) {
        if (!server.mayUse()) {
            throw Rights.refused(database, server.role(), "usage on schema " + schema());
        }
        try {
            return database.sessions().autocommit("reading the schema's history", this::readHistory);
        } catch (FanoutException e) {
            throw Rights.orElse(database, server.role(), e);
        }
    }

    private List<Done> readHistory(Connection connection) throws SQLException {
        List<Done> done = new ArrayList<>();
        try (PreparedStatement read =
                        connection.prepareStatement(database.statements().get("read-history"));
                ResultSet row = read.executeQuery()) {
            while (row.next()) {
                done.add(new Done(row.getString(1), row.getString(2), row.getInt(3), row.getBoolean(4)));
            }
        }
        return done;
    }

    private void migrate(Server server) {
        try {
            if (!server.hasSchema()) {
                database.sessions().transaction("creating schema " + schema(), this::createSchema);
            }
            flyway().migrate();
        } catch (FlywayException e) {
            throw translate(server, e);
        } catch (FanoutException e) {
            throw Rights.orElse(database, server.role(), e);
        }
    }

    private boolean createSchema(Connection connection) throws SQLException {
        try (PreparedStatement create =
                connection.prepareStatement(database.statements().get("create-schema"))) {
            return create.execute();
        }
    }

    private Flyway flyway() {
        DataSource connections = new MigrationConnections(database);
        return Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(connections)
                .schemas(database.schema().value())
                .defaultSchema(database.schema().value())
                .createSchemas(false)
                .table(HISTORY)
                .locations(LOCATION)
                .failOnMissingLocations(true)
                .placeholders(Map.of("schema", database.schema().quoted()))
                .cleanDisabled(true)
                .loggers("slf4j")
                .load();
    }

    private RuntimeException translate(Server server, FlywayException failure) {
        SQLException sql = sqlCause(failure);
        if (sql == null) {
            return new StartRefusedException(
                    "schema " + schema() + " can't be migrated: " + failure.getMessage(), failure);
        }
        return Rights.orElse(database, server.role(), SqlFailures.of("migrating schema " + schema(), sql));
    }

    private static @Nullable SQLException sqlCause(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return sql;
            }
        }
        return null;
    }

    private String schema() {
        return database.schema().value();
    }
}
