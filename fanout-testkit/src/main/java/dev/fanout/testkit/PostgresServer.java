// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import dev.fanout.testkit.internal.PostgresSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A real PostgreSQL for tests, from wherever this run has one.
 *
 * <ol>
 *   <li>If {@code fanout.test.jdbcUrl} names a server, that one: {@code jdbc:postgresql://host/db?user=..&password=..},
 *       a user who may create databases. Its settings are taken as they are.
 *   <li>If {@code fanout.test.postgres} is {@code docker}, or is {@code auto} (the default), Testcontainers is on the
 *       class path and a Docker daemon answers: a container of the image {@code fanout.test.postgres.image}
 *       ({@code postgres:17}).
 *   <li>Else, or if it is {@code embedded}: {@link EmbeddedPostgres}, from binaries on the class path.
 * </ol>
 *
 * <p>Each is read from a system property, then from the environment ({@code FANOUT_TEST_JDBC_URL}, {@code
 * FANOUT_TEST_POSTGRES}, {@code FANOUT_TEST_POSTGRES_IMAGE}). Servers are safe for use by many threads.
 */
public sealed interface PostgresServer extends AutoCloseable
        permits EmbeddedPostgres, DockerPostgres, ExternalPostgres {

    /**
     * Starts a server that is quick and forgets everything in a crash.
     *
     * @return the server
     * @throws IllegalStateException if none can be had, with what to do about it
     */
    static PostgresServer start() {
        return Servers.start(PostgresSource.chosen(), Durability.NONE);
    }

    /**
     * Starts a server that writes to disk before it acknowledges, as production does: for tests of crashes and speed.
     *
     * @return the server
     * @throws IllegalStateException if none can be had, with what to do about it
     */
    static PostgresServer startDurable() {
        return Servers.start(PostgresSource.chosen(), Durability.FULL);
    }

    /**
     * The address of a database of this server.
     *
     * @param database its name
     * @return a JDBC URL without user and password
     */
    String jdbcUrl(String database);

    /**
     * The user that the tests connect as; it may create databases.
     *
     * @return its name
     */
    String user();

    /**
     * That user's password.
     *
     * @return the password, empty if none is needed
     */
    String password();

    /**
     * A database that is always there, and is not the tests' own.
     *
     * @return its name
     */
    String maintenanceDatabase();

    /**
     * The driver's plain data source: every connection is a new one.
     *
     * @param database a database's name
     * @return the data source
     */
    default DataSource dataSource(String database) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(jdbcUrl(database));
        source.setUser(user());
        source.setPassword(password());
        return source;
    }

    /**
     * Opens a connection.
     *
     * @param database a database's name
     * @return the connection, the caller's to close
     * @throws SQLException if the server refuses
     */
    default Connection connect(String database) throws SQLException {
        return dataSource(database).getConnection();
    }

    /**
     * Creates an empty database under a name of its own.
     *
     * @return the database, dropped by its {@link TestDatabase#close() close}
     */
    default TestDatabase createDatabase() {
        return Databases.create(this);
    }

    /**
     * Migrates a database once, to be copied often.
     *
     * @param migration what makes the schema, in an empty database
     * @return the template
     */
    default DatabaseTemplate template(Consumer<? super DataSource> migration) {
        return DatabaseTemplate.of(this, migration);
    }

    /**
     * Ends every connection to a database, as an administrator or a failover does.
     *
     * @param database a database's name
     * @return how many there were
     */
    default int terminateBackends(String database) {
        return Databases.terminateBackends(this, database);
    }

    /** Stops the server if it was started here; one that was only named stays. */
    @Override
    void close();
}
