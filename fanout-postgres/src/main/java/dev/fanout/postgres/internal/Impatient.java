// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Copies of the application's data sources, with timeouts of our own: a login that is not answered then ends by itself, with
 * its thread and its socket. What a URL says stays. Sources of other kinds are used as they are.
 */
final class Impatient {

    /** Only until the login is over: then each connection gets the limit of its purpose. */
    private static final int SECONDS = 5;

    private static final String CONNECT = "connectTimeout";
    private static final String SOCKET = "socketTimeout";

    private Impatient() {}

    static DataSource likeDirect(DataSource source) throws SQLException {
        // MUST be this very class: a subclass may fetch its password, or do anything else
        return source.getClass() == PGSimpleDataSource.class ? copy((PGSimpleDataSource) source) : source;
    }

    private static DataSource copy(PGSimpleDataSource source) throws SQLException {
        PGSimpleDataSource copy = new PGSimpleDataSource();
        try {
            copy.initializeFrom(source);
        } catch (IOException | ClassNotFoundException e) {
            throw new SQLException("the data source can't be copied: " + source, e);
        }
        copy.setSocketTimeout(SECONDS);
        copy.setConnectTimeout(SECONDS);
        return copy;
    }

    /** What the pool opens its connections with, or its like. */
    static DataSource likePooled(HikariDataSource pool, DataSource source) throws SQLException {
        @Nullable String url = pool.getJdbcUrl();
        if (!(source instanceof DriverDataSource) || url == null || !url.startsWith("jdbc:postgresql:")) {
            return likeDirect(source);
        }
        Properties properties = new Properties();
        properties.putAll(pool.getDataSourceProperties());
        // what the URL says comes before these
        properties.put(CONNECT, String.valueOf(SECONDS));
        properties.put(SOCKET, String.valueOf(SECONDS));
        return new DriverDataSource(url, pool.getDriverClassName(), properties, pool.getUsername(), pool.getPassword());
    }
}
