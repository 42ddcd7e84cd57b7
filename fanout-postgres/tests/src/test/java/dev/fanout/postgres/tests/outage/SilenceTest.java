// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.outage;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Append;
import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.Fanout;
import dev.fanout.Projection;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.postgres.tests.kit.Books;
import dev.fanout.postgres.tests.kit.Diary;
import dev.fanout.postgres.tests.kit.Ears;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TcpProxy;
import dev.fanout.testkit.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A network that swallows everything, and resets nothing. */
@FanoutTest
@Timeout(180)
class SilenceTest {

    /** For a machine that is busy with everything else, on top of what is promised. */
    private static final Duration SLACK = Duration.ofSeconds(4);

    private static final Duration LONG_DELIVERY = Duration.ofMinutes(2);

    private final TestDatabase database;
    private final TcpProxy proxy;
    private final Diary diary = new Diary();
    private final Ears ears = new Ears();
    private final CountDownLatch end = new CountDownLatch(1);

    SilenceTest(TestDatabase database) {
        this.database = database;
        this.proxy = TcpProxy.inFrontOf(database.jdbcUrl());
    }

    @AfterEach
    void close() {
        end.countDown();
        proxy.close();
    }

    @Test
    void after_a_silence_that_costs_every_connection_all_flows_again_and_each_change_is_told_once() {
        try (HikariDataSource pool = pool(4, "&loginTimeout=2");
                Fanout<Connection> fanout = engine(PostgresStore.of(pool), diary)) {
            diary.awaitLine("x", Engines.append(fanout, "x"));
            proxy.blackHole();
            awaitAtLeast(ears.unavailable, 1);
            proxy.resumeWithNewConnectionsOnly();

            awaitAtLeast(ears.available, 1);
            diary.awaitLine("x", Engines.again(fanout, tx -> Engines.append(fanout, tx, "x")));
            new Books(database).awaitDrained();
            assertThat(ears.unavailable).hasValue(1);
            assertThat(ears.available).hasValue(1);
            assertThat(ears.failures).as("the projection is not to blame").isEmpty();
        }
    }

    @Test
    void a_direct_source_of_any_class_and_without_timeouts_costs_the_heartbeat_no_more_than_the_silence() {
        try (HikariDataSource pool = database.pool(4);
                Fanout<Connection> fanout = engine(
                        PostgresStore.builder(pool).direct(unknown(direct())).build(), diary)) {
            diary.awaitLine("x", Engines.append(fanout, "x"));
            proxy.blackHole();
            awaitAtLeast(ears.unavailable, 1);
            // logins of this time hang for good
            Awaitility.await().atMost(Engines.PATIENCE).until(() -> proxy.connections() >= 3);
            int taken = ears.taken.size();
            proxy.resumeWithNewConnectionsOnly();

            awaitAtLeast(ears.available, 1);
            diary.awaitLine("x", Engines.append(fanout, "x"));
            assertThat(ears.taken).as("leases went back and forth").hasSizeLessThanOrEqualTo(2 * taken);
        }
    }

    @Test
    void a_wait_for_a_child_ends_in_time_through_a_silent_network() {
        try (HikariDataSource pool = pool(3, "");
                Fanout<Connection> fanout = engine(PostgresStore.of(pool), event -> {
                    end.await();
                    return diary.apply(event);
                })) {
            Appended one = append(fanout);
            proxy.blackHole();

            long begun = System.nanoTime();
            assertThat(fanout.awaitApplied(Engines.CHILD, one, Duration.ofMillis(500)))
                    .isEqualTo(Applied.TIMED_OUT);
            assertThat(since(begun)).isLessThan(Duration.ofMillis(500).plus(SLACK));
            end.countDown();
            proxy.resume();
        }
    }

    @Test
    void a_wait_for_a_child_ends_in_time_though_the_caller_holds_the_only_connection() throws Exception {
        try (HikariDataSource pool = pool(1, "");
                Fanout<Connection> fanout = engine(PostgresStore.of(pool), diary)) {
            Appended one;
            try (Connection mine = pool.getConnection()) {
                mine.setAutoCommit(false);
                one = fanout.append(mine, Engines.renamed("x"));
                mine.commit();
                long begun = System.nanoTime();
                assertThat(fanout.awaitApplied(Engines.CHILD, one, Duration.ofMillis(300)))
                        .isEqualTo(Applied.TIMED_OUT);
                assertThat(since(begun)).isLessThan(Duration.ofMillis(300).plus(SLACK));
            }
            assertThat(fanout.awaitApplied(Engines.CHILD, one, Engines.PATIENCE))
                    .isEqualTo(Applied.APPLIED);
        }
    }

    @Test
    void closing_ends_in_time_through_a_silent_network() {
        try (HikariDataSource pool = pool(4, "")) {
            Fanout<Connection> fanout = engine(PostgresStore.of(pool), diary);
            diary.awaitLine("x", Engines.append(fanout, "x"));
            proxy.blackHole();

            long begun = System.nanoTime();
            fanout.close(Duration.ofSeconds(2));

            assertThat(since(begun)).isLessThan(Duration.ofSeconds(5).plus(SLACK));
            proxy.resume();
        }
    }

    @Test
    void closing_a_store_with_its_own_pool_ends_in_time_through_a_silent_network() {
        Fanout<Connection> fanout =
                engine(PostgresStore.connect(proxy.jdbcUrl(), database.user(), database.password()), diary);
        diary.awaitLine("x", Engines.append(fanout, "x"));
        proxy.blackHole();

        long begun = System.nanoTime();
        fanout.close(Duration.ofMillis(500));

        assertThat(since(begun)).isLessThan(Duration.ofMillis(3_500).plus(SLACK));
        proxy.resume();
    }

    @Test
    void a_delivery_that_does_not_end_costs_a_close_its_timeout_and_little_more() {
        CountDownLatch inside = new CountDownLatch(1);
        try (HikariDataSource pool = database.pool(4)) {
            Fanout<Connection> fanout = engine(PostgresStore.of(pool), event -> {
                inside.countDown();
                awaitUninterruptibly(end);
                return diary.apply(event);
            });
            Engines.append(fanout, "x");
            awaitUninterruptibly(inside);

            long begun = System.nanoTime();
            assertThat(fanout.close(Duration.ofMillis(500))).isFalse();

            assertThat(since(begun)).isLessThan(Duration.ofMillis(3_500).plus(SLACK));
            end.countDown();
        }
    }

    @Test
    void building_and_starting_do_not_wait_for_the_pools_patience() {
        proxy.blackHole();
        HikariConfig config = config(2, "");
        config.setConnectionTimeout(LONG_DELIVERY.toMillis());
        config.setInitializationFailTimeout(-1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            long begun = System.nanoTime();
            Fanout<Connection> fanout = engine(PostgresStore.of(pool), diary);
            assertThat(since(begun)).isLessThan(Duration.ofSeconds(10).plus(SLACK));
            assertThat(ears.unavailable).hasValue(1);

            proxy.resume();
            awaitAtLeast(ears.available, 1);
            diary.awaitLine("x", Engines.append(fanout, "x"));
            fanout.close();
        }
    }

    @Test
    void a_data_source_that_takes_no_network_timeout_still_works() {
        try (HikariDataSource pool = database.pool(2);
                Fanout<Connection> fanout = engine(PostgresStore.of(refusing(pool)), diary)) {
            diary.awaitLine("x", Engines.append(fanout, "x"));
        }
    }

    private Fanout<Connection> engine(PostgresStore store, Projection projection) {
        Fanout<Connection> fanout = Fanout.builder(store).settings(Engines.BRISK).stream(
                        Engines.STREAM, stream -> stream.entities("asset").partitions(1))
                .listener(ears)
                .child(
                        Engines.CHILD,
                        child -> child.of(Engines.STREAM).projection(projection).fromBeginning())
                .build();
        fanout.start();
        return fanout;
    }

    private HikariDataSource pool(int size, String parameters) {
        return new HikariDataSource(config(size, parameters));
    }

    private HikariConfig config(int size, String parameters) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(proxy.jdbcUrl() + parameters);
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(5_000);
        return config;
    }

    private PGSimpleDataSource direct() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(proxy.jdbcUrl());
        source.setUser(database.user());
        source.setPassword(database.password());
        return source;
    }

    /** Of a class that nobody can copy. */
    private static DataSource unknown(DataSource source) {
        return like(DataSource.class, source, "");
    }

    private static DataSource refusing(DataSource source) {
        return (DataSource) Proxy.newProxyInstance(
                SilenceTest.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    Object result = method.invoke(source, arguments);
                    return result instanceof Connection connection
                            ? like(Connection.class, connection, "NetworkTimeout")
                            : result;
                });
    }

    private static <T> T like(Class<T> type, T delegate, String refused) {
        return type.cast(Proxy.newProxyInstance(
                SilenceTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (!refused.isEmpty() && method.getName().endsWith(refused)) {
                        throw new java.sql.SQLFeatureNotSupportedException(method.getName());
                    }
                    try {
                        return method.invoke(delegate, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static Appended append(Fanout<Connection> fanout) {
        return Engines.again(
                fanout, tx -> fanout.append(tx, Append.to("asset", "x").eventJson("asset.renamed", "{}")));
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException deaf) {
                // a handler that does not listen
            }
        }
    }

    private static Duration since(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private static void awaitAtLeast(AtomicInteger count, int wanted) {
        Awaitility.await().atMost(Engines.PATIENCE).until(() -> count.get() >= wanted);
    }
}
