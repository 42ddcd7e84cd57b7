// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TcpProxy;
import dev.fanout.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

@FanoutTest
class ListenerLossTest {

    private static final String LISTENERS =
            "select count(*) from pg_stat_activity where application_name = 'fanout listener' and datname = current_database()";

    @Test
    void a_killed_listener_connects_again_at_most_once_a_second_and_says_so(TestDatabase database) throws Exception {
        Heard heard = new Heard();
        try (Parts parts = Parts.open(database.pool(2), database.dataSource())) {
            parts.wakes.listen(heard);
            for (int kills = 1; kills <= 3; kills++) {
                heard.awaitConnected(kills);
                await().until(() -> parts.wakes.hold(0));
                database.execute("select pg_terminate_backend(pid) from pg_stat_activity where application_name ="
                        + " 'fanout listener' and datname = current_database()");
                await().atMost(Duration.ofSeconds(2)).until(() -> !parts.wakes.hold(0));
                assertThat(parts.wakes.letGo(0))
                        .as("what was lost proves nothing")
                        .isEmpty();
            }
            heard.awaitConnected(4);
            List<Long> times = heard.connections();
            for (int i = 1; i < times.size(); i++) {
                assertThat(Duration.ofNanos(times.get(i) - times.get(i - 1))).isGreaterThan(Duration.ofMillis(990));
            }
            parts.append(database.dataSource(), "a0");
            heard.awaitAppended(1);
        }
        await().until(() -> database.number(LISTENERS) == 0);
    }

    @Test
    void a_black_holed_listener_is_noticed_within_15_seconds(TestDatabase database) throws Exception {
        Heard heard = new Heard();
        try (TcpProxy proxy = TcpProxy.inFrontOf(database.jdbcUrl());
                Parts parts = Parts.open(database.pool(2), through(proxy, database))) {
            parts.wakes.listen(heard);
            heard.awaitConnected(1);
            await().until(() -> parts.wakes.hold(0));

            proxy.blackHole();
            long begun = System.nanoTime();
            await().atMost(Duration.ofSeconds(15)).until(() -> !parts.wakes.hold(0));
            proxy.resume();

            heard.awaitConnected(2);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(25));
            // the old session may still hold the lock on the server: it is ended
            await().atMost(Duration.ofSeconds(15)).until(() -> parts.wakes.hold(0));
        }
    }

    @Test
    void a_dead_connection_does_not_keep_the_relay_from_letting_go(TestDatabase database) throws Exception {
        Heard heard = new Heard();
        try (TcpProxy proxy = TcpProxy.inFrontOf(database.jdbcUrl());
                Parts parts = Parts.open(database.pool(2), through(proxy, database))) {
            parts.wakes.listen(heard);
            heard.awaitConnected(1);
            await().until(() -> parts.wakes.hold(0));
            proxy.blackHole();
            long begun = System.nanoTime();

            assertThat(parts.wakes.letGo(0)).isEmpty();

            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(3));
            proxy.resume();
        }
    }

    @Test
    void an_idle_listener_is_quiet(TestDatabase database) throws Exception {
        Heard heard = new Heard();
        try (TcpProxy proxy = TcpProxy.inFrontOf(database.jdbcUrl());
                Parts parts = Parts.open(database.pool(2), through(proxy, database))) {
            parts.wakes.listen(heard);
            heard.awaitConnected(1);
            long before = proxy.roundTrips();
            parts.append(database.dataSource(), "a0");
            heard.awaitAppended(1);
            await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
            assertThat(proxy.roundTrips() - before).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void without_a_connection_beside_the_pool_nothing_is_held(TestDatabase database) {
        try (Parts parts = Parts.open(database.dataSource(), null)) {
            parts.wakes.listen(new Heard());
            assertThat(parts.wakes.hold(0)).isFalse();
            assertThat(parts.wakes.letGo(0)).isEmpty();
            assertThat(parts.leases.beat(parts.leases.join("n", java.util.Set.of())))
                    .isTrue();
        }
    }

    private static PGSimpleDataSource through(TcpProxy proxy, TestDatabase database) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(proxy.jdbcUrl());
        source.setUser(database.user());
        source.setPassword(database.password());
        source.setConnectTimeout(2);
        source.setLoginTimeout(2);
        return source;
    }
}
