// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.StartRefusedException;
import dev.fanout.postgres.internal.Database;
import dev.fanout.postgres.internal.DirectConnections;
import dev.fanout.postgres.internal.Opening;
import dev.fanout.postgres.internal.PostgresAppends;
import dev.fanout.postgres.internal.PostgresAttachments;
import dev.fanout.postgres.internal.PostgresCursors;
import dev.fanout.postgres.internal.PostgresLeases;
import dev.fanout.postgres.internal.PostgresLog;
import dev.fanout.postgres.internal.PostgresOutbox;
import dev.fanout.postgres.internal.PostgresParked;
import dev.fanout.postgres.internal.PostgresRetention;
import dev.fanout.postgres.internal.PostgresWakes;
import dev.fanout.postgres.internal.SchemaName;
import dev.fanout.postgres.internal.Script;
import dev.fanout.spi.Appends;
import dev.fanout.spi.Attachments;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Leases;
import dev.fanout.spi.Log;
import dev.fanout.spi.Outbox;
import dev.fanout.spi.Parked;
import dev.fanout.spi.Platform;
import dev.fanout.spi.Retention;
import dev.fanout.spi.Store;
import dev.fanout.spi.Wakes;
import java.sql.Connection;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The store on PostgreSQL 15 or later. Made by {@link #of} on the application's own pool, or by {@link #connect} with a
 * small one of its own; what differs from the defaults is said by {@link Builder}. It serves one engine. Safe for use by
 * many threads.
 *
 * <p>Everything is in a schema of its own, {@code fanout} unless named otherwise, so that several services can share a
 * database. The application's {@code search_path}, its Flyway configuration and its tables are never touched.
 *
 * <p>Nothing is connected to before {@link #open}.
 */
public final class PostgresStore implements Store<Connection> {

    /** What has been interrupted, or is about to end, gets so long. The engine has waited for the rest before. */
    private static final Duration STOP = Duration.ofMillis(500);

    /** For the store's own pool. What its URL says comes before. */
    private static final Duration LOGIN = Duration.ofSeconds(5);

    /** Leaves the application's own statements, in a transaction that it asks of fanout, their time. */
    private static final Duration SOCKET = Duration.ofMinutes(1);

    private static final Set<Integer> LANES = Set.of(0);

    private final SystemPlatform platform = SystemPlatform.create("worker");
    private final @Nullable HikariDataSource ownPool;
    private final Opening opening;
    private final PostgresAppends appends;
    private final PostgresOutbox outbox;
    private final PostgresLog log;
    private final PostgresCursors cursors;
    private final PostgresParked parked;
    private final PostgresAttachments attachments;
    private final PostgresRetention retention;
    private final PostgresLeases leases;
    private final PostgresWakes wakes;
    private final AtomicBoolean taken = new AtomicBoolean();

    private PostgresStore(Builder settings) {
        Database database =
                new Database(settings.schema, settings.pool, DirectConnections.of(settings.pool, settings.direct));
        this.ownPool = settings.ownPool;
        this.opening = new Opening(database, settings.mode);
        this.appends = new PostgresAppends(database);
        this.outbox = new PostgresOutbox(database);
        this.log = new PostgresLog(database);
        this.cursors = new PostgresCursors(database);
        this.parked = new PostgresParked(database);
        this.attachments = new PostgresAttachments(database);
        this.retention = new PostgresRetention(database);
        this.leases = new PostgresLeases(database);
        this.wakes = new PostgresWakes(database, () -> LANES);
    }

    /**
     * Makes a store on the application's own pool, with the defaults.
     *
     * @param dataSource any data source, of any pool size and autocommit default; it stays the application's to close
     * @return the store
     */
    public static PostgresStore of(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /**
     * Makes a store with a small pool of its own, closed with the store. Its connections have a {@code connectTimeout} and a
     * {@code loginTimeout} of five seconds and a {@code socketTimeout} of one minute, unless the URL says otherwise.
     *
     * @param url a JDBC URL of PostgreSQL; where it names several hosts, with {@code targetServerType=primary}
     * @param user whom to connect as
     * @param password the password
     * @return the store
     */
    public static PostgresStore connect(String url, String user, String password) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(Objects.requireNonNull(url, "url"));
        pool.setUsername(user);
        pool.setPassword(password);
        return new Builder(sized(pool), pool).build();
    }

    private static HikariDataSource sized(HikariDataSource pool) {
        HikariConfig config = pool;
        config.setPoolName("fanout");
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(LOGIN.toMillis());
        config.addDataSourceProperty("connectTimeout", LOGIN.toSeconds());
        config.addDataSourceProperty("loginTimeout", LOGIN.toSeconds());
        config.addDataSourceProperty("socketTimeout", SOCKET.toSeconds());
        // the database may be down now: the engine waits for it, not the application's start
        config.setInitializationFailTimeout(-1);
        return pool;
    }

    /**
     * Begins a store on the application's own pool that differs from the defaults.
     *
     * @param dataSource any data source; it stays the application's to close
     * @return the builder
     */
    public static Builder builder(DataSource dataSource) {
        return new Builder(Objects.requireNonNull(dataSource, "dataSource"), null);
    }

    /**
     * Returns what a DBA runs where the library may not: schema, history, and a role each for processes that append and
     * for those that also run relay and projections.
     *
     * @param schema the schema's name
     * @return SQL for psql, to be run in one transaction
     * @throws IllegalArgumentException if the name is not a plain lower-case name
     */
    public static String script(String schema) {
        return new Script(new SchemaName(schema)).text();
    }

    @Override
    public Platform platform() {
        return platform;
    }

    @Override
    public void take() {
        if (taken.getAndSet(true)) {
            throw new StartRefusedException(
                    "the store already serves an engine, or did: make one store for each engine");
        }
    }

    @Override
    public Layout open(Declaration declaration) {
        return opening.open(declaration);
    }

    @Override
    public void checkMayRun() {
        opening.checkMayRun();
    }

    @Override
    public Appends<Connection> appends() {
        return appends;
    }

    @Override
    public Outbox outbox() {
        return outbox;
    }

    @Override
    public Log log() {
        return log;
    }

    @Override
    public Cursors<Connection> cursors() {
        return cursors;
    }

    @Override
    public Parked parked() {
        return parked;
    }

    @Override
    public Attachments attachments() {
        return attachments;
    }

    @Override
    public Retention retention() {
        return retention;
    }

    @Override
    public Leases leases() {
        return leases;
    }

    @Override
    public Wakes wakes() {
        return wakes;
    }

    @Override
    public void close() {
        wakes.stop();
        platform.shutdown(STOP);
        leases.close();
        if (ownPool != null) {
            close(ownPool);
        }
    }

    /** The pool waits for logins that hang: it ends by itself, and nobody waits with it. */
    private static void close(HikariDataSource pool) {
        Thread closer = new Thread(pool::close, "fanout-pool-closer");
        closer.setDaemon(true);
        closer.start();
        try {
            closer.join(STOP.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What a store differs in from the defaults. Not for use by several threads. */
    public static final class Builder {

        private final DataSource pool;
        private final @Nullable HikariDataSource ownPool;
        private SchemaName schema = new SchemaName("fanout");
        private MigrationMode mode = MigrationMode.MIGRATE;
        private @Nullable DataSource direct;

        private Builder(DataSource pool, @Nullable HikariDataSource ownPool) {
            this.pool = pool;
            this.ownPool = ownPool;
        }

        /**
         * Names the schema.
         *
         * @param name 1 to 63 lower-case letters, digits or '_'; default {@code fanout}
         * @return this
         * @throws IllegalArgumentException if the name is not a plain lower-case name, or PostgreSQL's own
         */
        public Builder schema(String name) {
            this.schema = new SchemaName(Objects.requireNonNull(name, "name"));
            return this;
        }

        /**
         * Says what to do about the schema when the store is opened.
         *
         * @param value the mode; default {@link MigrationMode#MIGRATE}
         * @return this
         */
        public Builder migration(MigrationMode value) {
            this.mode = Objects.requireNonNull(value, "value");
            return this;
        }

        /**
         * Gives a source of connections beside the pool: for listening, heartbeats and migration. Needed only where the
         * application's pool is not HikariCP, whose settings are copied; without it such a store only polls. A login that
         * is not answered is given up after five seconds; for a data source other than {@code PGSimpleDataSource}, set its
         * {@code socketTimeout}, so that the attempt that was given up ends, too.
         *
         * @param dataSource no pool: each connection is a new one. Straight to the server, past any transaction pooler
         * @return this
         */
        public Builder direct(DataSource dataSource) {
            this.direct = Objects.requireNonNull(dataSource, "dataSource");
            return this;
        }

        /**
         * Makes the store. Connects to nothing yet.
         *
         * @return the store
         */
        public PostgresStore build() {
            return new PostgresStore(this);
        }
    }
}
