// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.FanoutException;
import dev.fanout.postgres.MigrationMode;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Layout;
import java.sql.SQLException;
import java.time.Duration;

/** Opens a store: the server is fit, the schema is of this release, the declaration agrees with what is stored. */
public final class Opening {

    private static final Duration MEET = Duration.ofSeconds(10);

    private final Attempts pool = new Attempts("opening");
    private final Database database;
    private final Migrations migrations;
    private final SchemaChecks checks;
    private final Registry registry;

    /**
     * Makes the opening of a store.
     *
     * @param database what the store's parts share
     * @param mode what to do about the schema
     */
    public Opening(Database database, MigrationMode mode) {
        this.database = database;
        this.migrations = new Migrations(database, mode);
        this.checks = new SchemaChecks(database);
        this.registry = new Registry(database.statements());
    }

    /**
     * Opens the store. Safe to race and to repeat.
     *
     * @param declaration what this process declares
     * @return what the store holds now
     */
    public Layout open(Declaration declaration) {
        database.declare(declaration);
        meet();
        Server server = Server.read(database).check();
        migrations.bringUp(server);
        checks.check(server);
        return register(server, declaration);
    }

    /** Whether anybody is there is known soon, whatever the pool's patience: the application waits for this. */
    private void meet() {
        try {
            pool.connect(database.pool()::getConnection, MEET).close();
        } catch (SQLException e) {
            throw SqlFailures.of("opening the store", e);
        }
    }

    /**
     * Checks that the role may run relay and cursors.
     *
     * @throws dev.fanout.StartRefusedException if it may not
     */
    public void checkMayRun() {
        checks.checkRunner(Server.read(database));
    }

    private Layout register(Server server, Declaration declaration) {
        try {
            return database.sessions()
                    .transaction(
                            "registering streams and children",
                            connection -> registry.register(connection, declaration));
        } catch (FanoutException e) {
            throw Rights.orElse(database, server.role(), e);
        }
    }
}
