// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.testkit.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * What the example runs on: a PostgreSQL that writes to disk before it acknowledges, and a directory for the index. All
 * of it is gone afterwards, also when the example is interrupted.
 */
final class Workspace implements AutoCloseable {

    private final EmbeddedPostgres server;
    private final HikariDataSource pool;
    private final Path directory;
    private final Thread atExit;

    private Workspace(EmbeddedPostgres server, HikariDataSource pool, Path directory) {
        this.server = server;
        this.pool = pool;
        this.directory = directory;
        this.atExit = new Thread(() -> delete(directory), "delete-workspace");
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    static Workspace open() throws IOException {
        EmbeddedPostgres server = EmbeddedPostgres.builder().durable().start();
        HikariDataSource pool = pool(server.jdbcUrl(server.maintenanceDatabase()), server.user());
        return new Workspace(server, pool, Files.createTempDirectory("jdk-catalog"));
    }

    /** The pool of an application. */
    static HikariDataSource pool(String url, String user) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setMaximumPoolSize(16);
        return new HikariDataSource(config);
    }

    static void createTables(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement create = Sql.prepare(connection, "create-tables")) {
            create.execute();
        }
    }

    DataSource dataSource() {
        return pool;
    }

    String url() {
        return pool.getJdbcUrl();
    }

    String user() {
        return pool.getUsername();
    }

    Path index() {
        return directory.resolve("index");
    }

    @Override
    public void close() {
        pool.close();
        server.close();
        delete(directory);
        Runtime.getRuntime().removeShutdownHook(atExit);
    }

    private static void delete(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
