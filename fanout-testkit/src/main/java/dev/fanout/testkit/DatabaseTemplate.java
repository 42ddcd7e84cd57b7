// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * A migrated database that is only ever copied: a copy costs milliseconds where a migration costs seconds.
 *
 * <p>Made by {@link PostgresServer#template}. Safe for use by many threads.
 */
public final class DatabaseTemplate implements AutoCloseable {

    private final PostgresServer server;
    private final String name;

    private DatabaseTemplate(PostgresServer server, String name) {
        this.server = server;
        this.name = name;
    }

    static DatabaseTemplate of(PostgresServer server, Consumer<? super DataSource> migration) {
        TestDatabase database = server.createDatabase();
        try {
            migration.accept(database.dataSource());
            Databases.seal(server, database.name());
            database.terminateBackends();
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
        return new DatabaseTemplate(server, database.name());
    }

    /**
     * Copies the template.
     *
     * @return a database of its own, dropped by its {@link TestDatabase#close() close}
     */
    public TestDatabase newDatabase() {
        return Databases.cloneOf(server, name);
    }

    /** Drops the template; copies stay. */
    @Override
    public void close() {
        Databases.drop(server, name);
    }
}
