// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.FanoutException;
import dev.fanout.Settings;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Lease;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@FanoutTest
class LeasesTest {

    private static final String CHILD = "child/search/0";

    private final TestDatabase database;
    private final HikariDataSource pool;
    private final Parts parts;

    LeasesTest(TestDatabase database) {
        this.database = database;
        this.pool = database.pool(2);
        this.parts = Parts.open(pool, database.dataSource());
    }

    @AfterEach
    void close() {
        parts.close();
    }

    @Test
    void of_two_takers_with_the_same_sight_one_wins() {
        Lease first = parts.lease("child/search/1");
        assertThat(parts.leases.take("child/search/1", first.token(), first.node()))
                .isPresent();
        assertThat(parts.leases.take("child/search/1", first.token(), first.node()))
                .isEmpty();
        assertThat(parts.leases.take("never/taken", 5, first.node())).isEmpty();
        assertThat(parts.leases.take("never/taken", 0, first.node()))
                .map(Lease::token)
                .hasValue(1L);
        assertThat(parts.leases.take("never/taken", 0, first.node())).isEmpty();
    }

    @Test
    void an_owner_stalled_inside_its_transaction_is_ended_by_the_taker() throws Exception {
        Lease stale = parts.lease("lane/7");
        try (Connection stalled = fence(stale)) {
            long begun = System.nanoTime();

            Optional<Lease> taken = parts.leases.take("lane/7", stale.token(), stale.node());

            assertThat(taken).isPresent();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(4));
            assertThatThrownBy(stalled::commit).isInstanceOf(java.sql.SQLException.class);
        }
    }

    @Test
    void two_stalled_owners_that_share_a_row_are_ended_too() throws Exception {
        Lease stale = parts.lease("lane/8");
        try (Connection one = fence(stale);
                Connection other = fence(stale)) {
            org.awaitility.Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> parts.leases
                            .take("lane/8", stale.token(), stale.node())
                            .isPresent());
            assertThat(List.of(one, other)).noneMatch(connection -> valid(connection));
        }
    }

    @Test
    void a_release_frees_at_once_and_tells() {
        Heard heard = new Heard();
        parts.wakes.listen(heard);
        heard.awaitConnected(1);
        Lease lease = parts.lease("child/search/9");

        parts.leases.release(lease);

        heard.awaitReleased(1);
        assertThat(parts.leases.survey().leases())
                .filteredOn(held -> held.resource().equals("child/search/9"))
                .allMatch(held -> held.node().isEmpty() && held.token() == lease.token());
        Lease next =
                parts.leases.take("child/search/9", lease.token(), lease.node()).orElseThrow();
        parts.leases.release(lease);
        assertThat(parts.leases.survey().leases())
                .filteredOn(held -> held.resource().equals("child/search/9"))
                .allMatch(held -> held.node().orElseThrow() == next.node());
    }

    @Test
    void a_removed_node_beats_no_more_and_owns_nothing() {
        Lease lease = parts.lease("child/search/5");
        assertThat(parts.leases.beat(lease.node())).isTrue();
        parts.leases.remove(lease.node());
        assertThat(parts.leases.beat(lease.node())).isFalse();
        assertThat(parts.leases.survey().nodes()).noneMatch(node -> node.no() == lease.node());
        assertThat(parts.leases.survey().leases())
                .filteredOn(held -> held.resource().equals("child/search/5"))
                .allMatch(held -> held.node().isEmpty());
    }

    @Test
    void a_heartbeat_needs_no_connection_of_the_pool_and_outlives_its_own() throws Exception {
        long node = parts.leases.join("busy", Set.of());
        try (Connection one = pool.getConnection();
                Connection two = pool.getConnection()) {
            assertThat(parts.leases.beat(node)).isTrue();
            database.execute("select pg_terminate_backend(pid) from pg_stat_activity where application_name ="
                    + " 'fanout heartbeat' and datname = current_database()");
            assertThat(parts.leases.beat(node)).isTrue();
            assertThat(one.isValid(1) && two.isValid(1)).isTrue();
        }
        assertThat(parts.leases.survey().nodes())
                .filteredOn(known -> known.no() == node)
                .allMatch(known -> known.heartbeat() == 2);
    }

    @Test
    void a_cursor_advances_with_its_gates_and_only_from_where_it_stands() {
        Lease lease = parts.lease(CHILD);
        long from = parts.cursors.cursor(parts.child(), 0).position();
        parts.cursors.advance(step(lease, from, from + 10, Map.of(1L, 3L, 2L, 5L), Map.of()));
        parts.cursors.advance(step(lease, from + 10, from + 12, Map.of(1L, 4L), Map.of(1L, 3L)));

        assertThat(parts.cursors.cursor(parts.child(), 0).position()).isEqualTo(from + 12);
        assertThat(parts.cursors.gates(parts.child(), List.of(1L, 2L, 3L)))
                .isEqualTo(Map.of(1L, new Cursors.Gate(4, false), 2L, new Cursors.Gate(5, false)));
        assertThat(database.number("select count(*) from fanout.gate where entity_no in (1, 2)"))
                .isEqualTo(2);
        assertThat(database.number("select count(*) from fanout.cursor where partition = 0"))
                .isOne();
        assertThatThrownBy(() -> parts.cursors.advance(step(lease, from + 10, from + 20, Map.of(1L, 9L), Map.of())))
                .isInstanceOf(ForgottenException.class);
        assertThat(parts.cursors.gates(parts.child(), List.of(1L))).isEqualTo(Map.of(1L, new Cursors.Gate(4, false)));
    }

    @Test
    void a_stale_owner_or_a_past_epoch_advances_nothing() {
        Lease stale = parts.lease(CHILD);
        Lease lease = parts.lease(CHILD);
        long from = parts.cursors.cursor(parts.child(), 0).position();
        assertThatThrownBy(() -> parts.cursors.advance(step(stale, from, from + 1, Map.of(77L, 1L), Map.of())))
                .isInstanceOf(FencedException.class);
        var past = new dev.fanout.spi.Layout.Attachment(
                parts.child().no(), "search", parts.stream(), "00000000000000bb", false, Duration.ZERO);
        Cursors.Cursor stands = parts.cursors.cursor(parts.child(), 0);
        assertThatThrownBy(() -> parts.cursors.advance(new Cursors.Advance(
                        lease,
                        past,
                        0,
                        stands,
                        stands.next(from + 1, Cursors.Counts.NONE),
                        Map.of(77L, 1L),
                        Map.of(),
                        Cursors.Parking.NONE,
                        List.of(),
                        Optional.empty())))
                .isInstanceOf(FencedException.class);
        assertThat(parts.cursors.gates(parts.child(), List.of(77L))).isEmpty();
        assertThat(parts.cursors.cursor(parts.child(), 0).position()).isEqualTo(from);
    }

    @Test
    void a_delivery_commits_with_its_step_or_not_at_all() throws Exception {
        database.execute("create table if not exists derived (n int)");
        Lease lease = parts.lease(CHILD);
        long from = parts.cursors.cursor(parts.child(), 0).position();

        assertThat(parts.cursors.advance(tx -> {
                    insert(tx);
                    return null;
                }))
                .isFalse();
        Exception own = new Exception("the projection's own");
        assertThatThrownBy(() -> parts.cursors.advance(tx -> {
                    insert(tx);
                    throw own;
                }))
                .isSameAs(own);
        assertThatThrownBy(() -> parts.cursors.advance(tx -> {
                    insert(tx);
                    return step(new Lease(CHILD, lease.node(), 999), from, from + 1, Map.of(), Map.of());
                }))
                .isInstanceOf(FanoutException.class);
        assertThat(database.number("select count(*) from derived")).isZero();

        assertThat(parts.cursors.advance(tx -> {
                    insert(tx);
                    return step(lease, from, from + 1, Map.of(), Map.of());
                }))
                .isTrue();
        assertThat(database.number("select count(*) from derived")).isOne();
        assertThat(parts.cursors.cursor(parts.child(), 0).position()).isEqualTo(from + 1);
    }

    @Test
    void a_transaction_of_the_engine_may_be_idle_for_half_a_lease() throws Exception {
        parts.declare(Settings.defaults().leaseLength(Duration.ofSeconds(7)));
        List<String> seen = new ArrayList<>();
        parts.cursors.advance(tx -> {
            try (PreparedStatement ask =
                            tx.prepareStatement("select current_setting('idle_in_transaction_session_timeout')");
                    ResultSet row = ask.executeQuery()) {
                row.next();
                seen.add(row.getString(1));
            }
            return null;
        });
        assertThat(seen).containsExactly("3500ms");
    }

    private Cursors.Advance step(Lease lease, long from, long to, Map<Long, Long> gates, Map<Long, Long> passed) {
        Cursors.Cursor stands = new Cursors.Cursor(from, from, new Cursors.Counts(from, 0, 0, 0, 0, 0, 0));
        Cursors.Cursor behind = new Cursors.Cursor(to, to, new Cursors.Counts(to, 0, 0, 0, 0, 0, 0));
        return new Cursors.Advance(
                lease,
                parts.child(),
                0,
                stands,
                behind,
                gates,
                passed,
                Cursors.Parking.NONE,
                List.of(),
                Optional.empty());
    }

    private static void insert(Connection tx) throws Exception {
        try (PreparedStatement statement = tx.prepareStatement("insert into derived values (1)")) {
            statement.execute();
        }
    }

    private Connection fence(Lease lease) throws Exception {
        Connection stalled = database.connect();
        stalled.setAutoCommit(false);
        try (PreparedStatement statement =
                stalled.prepareStatement("select token from fanout.lease where resource = ? and token = ? for share")) {
            statement.setString(1, lease.resource());
            statement.setLong(2, lease.token());
            statement.execute();
        }
        return stalled;
    }

    private static boolean valid(Connection connection) {
        try {
            return connection.isValid(1);
        } catch (java.sql.SQLException e) {
            return false;
        }
    }
}
