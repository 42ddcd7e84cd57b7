// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database of a test's own, with the few things that tests do to one.
 *
 * <p>The helpers open and close a connection for each call and commit. They wrap {@link SQLException} into {@link
 * IllegalStateException} with the statement; a test about an SQLState uses {@link #connect()}. Safe for use by many
 * threads.
 */
public final class TestDatabase implements AutoCloseable {

    private final PostgresServer server;
    private final String name;
    private final DataSource dataSource;
    private final Queue<HikariDataSource> pools = new ConcurrentLinkedQueue<>();

    TestDatabase(PostgresServer server, String name) {
        this.server = server;
        this.name = name;
        this.dataSource = server.dataSource(name);
    }

    /**
     * The server that it is on.
     *
     * @return the server
     */
    public PostgresServer server() {
        return server;
    }

    /**
     * Its name on the server.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Its address.
     *
     * @return a JDBC URL without user and password
     */
    public String jdbcUrl() {
        return server.jdbcUrl(name);
    }

    /**
     * The user to connect as, who owns it.
     *
     * @return the user's name
     */
    public String user() {
        return server.user();
    }

    /**
     * The user's password.
     *
     * @return the password, empty if none is needed
     */
    public String password() {
        return server.password();
    }

    /**
     * The driver's plain data source: every connection is a new one.
     *
     * @return the data source
     */
    public DataSource dataSource() {
        return dataSource;
    }

    /**
     * Opens a connection.
     *
     * @return the connection, the caller's to close
     * @throws SQLException if the server refuses
     */
    public Connection connect() throws SQLException {
        return dataSource.getConnection();
    }

    /**
     * Makes a pool that opens connections as they are needed.
     *
     * @param size the most connections it has, at least 1
     * @return the pool, closed at the latest with this database
     */
    public HikariDataSource pool(int size) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("pool-" + name);
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
    }

    /**
     * Executes a statement, or several between semicolons if there are no parameters.
     *
     * @param sql the statement
     * @param parameters its parameters
     * @return how many rows the first statement changed, 0 if it does not change rows
     */
    public int execute(String sql, @Nullable Object... parameters) {
        return with(sql, parameters, statement -> {
            statement.execute();
            return Math.max(statement.getUpdateCount(), 0);
        });
    }

    /**
     * Reads one text, such as {@code SELECT state FROM ..}.
     *
     * @param sql a query of one column
     * @param parameters its parameters
     * @return the value of its only row as text
     * @throws IllegalStateException if there is no row, more than one, or a NULL
     */
    public String text(String sql, @Nullable Object... parameters) {
        List<String> column = column(sql, parameters);
        if (column.size() != 1) {
            throw new IllegalStateException("Expected one row and got " + column.size() + ": " + sql);
        }
        return column.get(0);
    }

    /**
     * Reads one number, such as {@code SELECT count(*) FROM ..}.
     *
     * @param sql a query of one column
     * @param parameters its parameters
     * @return the value of its only row
     * @throws IllegalStateException if there is no row, more than one, a NULL, or something that is not a whole number
     */
    public long number(String sql, @Nullable Object... parameters) {
        String text = text(sql, parameters);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalStateException("Expected a number and got '" + text + "': " + sql, e);
        }
    }

    /**
     * Reads one column.
     *
     * @param sql a query whose first column is read
     * @param parameters its parameters
     * @return its values as text, in order
     * @throws IllegalStateException if one is NULL
     */
    public List<String> column(String sql, @Nullable Object... parameters) {
        return with(sql, parameters, statement -> {
            List<String> values = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    values.add(notNull(rows.getString(1), sql));
                }
            }
            return values;
        });
    }

    /**
     * Who is connected, this call's own connection left out.
     *
     * @return the server's side of each connection, oldest first
     */
    public List<Backend> backends() {
        return Databases.backends(server, name);
    }

    /**
     * Ends every connection, as an administrator or a failover does.
     *
     * @return how many there were
     */
    public int terminateBackends() {
        return server.terminateBackends(name);
    }

    /** Closes its pools, ends connections that are left and drops it. */
    @Override
    public void close() {
        closePools();
        Databases.drop(server, name);
    }

    @Override
    public String toString() {
        return jdbcUrl();
    }

    void closePools() {
        pools.forEach(HikariDataSource::close);
    }

    private interface Work<R> {
        R with(PreparedStatement statement) throws SQLException;
    }

    private <R> R with(String sql, @Nullable Object[] parameters, Work<R> work) {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return work.with(statement);
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage() + "\nin: " + sql, e);
        }
    }

    private static String notNull(@Nullable String value, String sql) {
        if (value == null) {
            throw new IllegalStateException("Unexpected NULL: " + sql);
        }
        return value;
    }
}
