// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens connections that belong to no pool: what listens must not be recycled, counted as a leak, or stand in the way
 * of a pool of one. Safe for use by many threads.
 *
 * <p>They come from the data source given for that purpose; else, where the pool is HikariCP's, from what that pool opens
 * its own with (URL, driver or data source, user, properties), and where it is the driver's plain data source, which is no
 * pool, from itself. Any other pool can't be asked, and there are none.
 *
 * <p>Each is bounded from its first packet on, whatever its source says: see {@link Attempts} and {@link Impatient}.
 */
public final class DirectConnections {

    private static final Logger LOG = LoggerFactory.getLogger(DirectConnections.class);

    /** A login takes at most so long, or as long as an answer where that is less. */
    private static final Duration LOGIN = Duration.ofSeconds(5);

    private final Map<String, Attempts> attempts = new ConcurrentHashMap<>();
    private final @Nullable DataSource direct;
    private final @Nullable HikariDataSource pool;

    private DirectConnections(@Nullable DataSource direct, @Nullable HikariDataSource pool) {
        this.direct = direct;
        this.pool = pool;
    }

    /**
     * Finds out where direct connections come from, and warns where they can't.
     *
     * @param pool the application's data source, possibly wrapped
     * @param direct a data source that is no pool, or null
     * @return what opens them
     */
    public static DirectConnections of(DataSource pool, @Nullable DataSource direct) {
        if (direct != null) {
            return new DirectConnections(direct, null);
        }
        if (pool instanceof PGSimpleDataSource simple) {
            return new DirectConnections(simple, null);
        }
        HikariDataSource hikari = unwrap(pool);
        if (hikari == null) {
            LOG.warn(
                    "no connection can be opened beside the pool, so nothing is heard and the relay only polls;"
                            + " give PostgresStore.direct(..) a DataSource that is no pool. pool={}",
                    pool.getClass().getName());
        }
        return new DirectConnections(null, hikari);
    }

    /**
     * Says whether {@link #open} can work at all.
     *
     * @return false if there is no source of connections beside the pool
     */
    public boolean available() {
        return direct != null || pool != null;
    }

    /**
     * Opens a connection, in autocommit mode. The caller closes it.
     *
     * @param purpose what it is for, as {@code application_name} shows it
     * @param silence how long an answer may take before the connection counts as lost; connecting takes no longer either, and
     *     five seconds at the most
     * @return the connection; empty if there is no source of any
     * @throws dev.fanout.StoreUnavailableException if the database can't be reached
     */
    public Optional<Connection> open(String purpose, Duration silence) {
        if (!available()) {
            return Optional.empty();
        }
        try {
            Attempts mine = attempts.computeIfAbsent(purpose, Attempts::new);
            Connection opened = mine.connect(this::connect, silence.compareTo(LOGIN) < 0 ? silence : LOGIN);
            prepare(opened, purpose, silence);
            return Optional.of(opened);
        } catch (SQLException e) {
            throw SqlFailures.of("connecting for " + purpose, e);
        }
    }

    private Connection connect() throws SQLException {
        return direct != null
                ? Impatient.likeDirect(direct).getConnection()
                : connectLike(Objects.requireNonNull(pool));
    }

    private static Connection connectLike(HikariDataSource pool) throws SQLException {
        DataSource source = Impatient.likePooled(pool, source(pool));
        Connection connection = pool.getUsername() == null
                ? source.getConnection()
                : source.getConnection(pool.getUsername(), pool.getPassword());
        String init = pool.getConnectionInitSql();
        if (init != null) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(init);
            } catch (SQLException e) {
                close(connection, e);
                throw e;
            }
        }
        return connection;
    }

    /** The pool itself is made at its first connection. */
    private static DataSource source(HikariDataSource pool) throws SQLException {
        if (pool.getHikariPoolMXBean() == null) {
            pool.getConnection().close();
        }
        return ((HikariPool) pool.getHikariPoolMXBean()).getUnwrappedDataSource();
    }

    private static void prepare(Connection connection, String purpose, Duration silence) throws SQLException {
        try {
            connection.setAutoCommit(true);
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(silence.toMillis()));
            connection.setClientInfo("ApplicationName", "fanout " + purpose);
        } catch (SQLException e) {
            close(connection, e);
            throw e;
        }
    }

    private static void close(Connection connection, SQLException because) {
        try {
            connection.close();
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }

    private static @Nullable HikariDataSource unwrap(DataSource pool) {
        try {
            if (pool instanceof HikariDataSource hikari) {
                return hikari;
            }
            return pool.isWrapperFor(HikariDataSource.class) ? pool.unwrap(HikariDataSource.class) : null;
        } catch (SQLException e) {
            LOG.debug("{} does not tell what it wraps", pool.getClass().getName(), e);
            return null;
        }
    }
}
