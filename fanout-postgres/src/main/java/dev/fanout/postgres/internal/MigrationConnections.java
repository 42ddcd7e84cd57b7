// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Gives Flyway, which holds several at once, connections beside the pool, so that a pool of one does not wait for
 * itself. Where there are none, the pool's own, which then must have two.
 */
final class MigrationConnections implements DataSource {

    /** A migration may wait long for another process's, and rewrite tables. */
    private static final Duration ANSWER = Duration.ofMinutes(10);

    private final Database database;

    MigrationConnections(Database database) {
        this.database = database;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection direct = database.direct().open("migration", ANSWER).orElse(null);
        return direct == null ? database.pool().getConnection() : direct;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("connections come as the application's own user");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("wraps nothing of type " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
