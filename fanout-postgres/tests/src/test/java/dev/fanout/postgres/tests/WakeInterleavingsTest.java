// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fanout.spi.Frontier;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Outbox.Publication;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Append, fall asleep and commit, step by step, in the orders that matter: who notifies, and what the horizon waits for. */
@FanoutTest
class WakeInterleavingsTest {

    private final TestDatabase database;
    private final Parts parts;
    private final Heard heard = new Heard();
    private Lease lease;

    WakeInterleavingsTest(TestDatabase database) {
        this.database = database;
        this.parts = Parts.open(database.pool(2), database.dataSource());
    }

    @BeforeEach
    void listen() {
        database.execute("truncate fanout.outbox, fanout.log, fanout.event, fanout.entity, fanout.frontier");
        lease = parts.lease(Parts.LANE);
        parts.wakes.listen(heard);
        heard.awaitConnected(1);
    }

    @AfterEach
    void close() {
        parts.close();
    }

    @Test
    void an_append_to_a_lane_that_nobody_holds_notifies_at_its_commit() throws Exception {
        try (Connection tx = begin()) {
            parts.append(tx, "a0");
            assertThat(heard.appended()).isZero();
            tx.commit();
        }
        heard.awaitAppended(1);
    }

    @Test
    void a_thousand_appends_of_one_transaction_wake_once() throws Exception {
        try (Connection tx = begin()) {
            for (int i = 0; i < 1_000; i++) {
                parts.append(tx, "a" + i % 10);
            }
            tx.commit();
        }
        heard.awaitAppended(1);
        parts.append(database.dataSource(), "last0");
        heard.awaitAppended(2);
        assertThat(heard.appended()).isEqualTo(2);
    }

    @Test
    void an_append_to_a_held_lane_is_silent_and_below_the_horizon() throws Exception {
        hold();
        try (Connection tx = begin()) {
            parts.append(tx, "a0");
            long writer = xid(tx);

            long horizon = letGo();

            assertThat(horizon).isGreaterThan(writer);
            assertThat(look().running()).as("the writer runs").isLessThan(horizon);
            tx.commit();
        }
        Publication last = look();
        assertThat(last.placed()).hasSize(1);
        assertThat(heard.appended()).isZero();
    }

    @Test
    void two_silent_writers_are_both_below_the_horizon_though_a_snapshot_shows_neither() throws Exception {
        hold();
        try (Connection first = begin();
                Connection second = begin()) {
            parts.append(first, "a0");
            parts.append(second, "b1");
            long higher = xid(second);

            long horizon = letGo();

            assertThat(horizon).isGreaterThan(higher);
            first.commit();
            assertThat(look().running()).as("the second runs").isLessThan(horizon);
            second.commit();
            assertThat(look().running()).isGreaterThanOrEqualTo(horizon);
        }
    }

    @Test
    void the_horizon_is_reached_once_all_silent_writers_have_ended_and_nothing_follows() throws Exception {
        hold();
        try (Connection tx = begin()) {
            parts.append(tx, "a0");
            long horizon = letGo();
            tx.rollback();
            assertThat(look().running()).isGreaterThanOrEqualTo(horizon);
        }
    }

    @Test
    void an_append_after_the_release_notifies_even_from_a_transaction_that_began_before() throws Exception {
        hold();
        try (Connection tx = begin()) {
            parts.append(tx, "a0");
            letGo();
            parts.append(tx, "b1");
            tx.commit();
        }
        heard.awaitAppended(1);
    }

    @Test
    void a_savepoint_rolled_back_leaves_neither_row_nor_lock_behind() throws Exception {
        try (Connection tx = begin()) {
            var before = tx.setSavepoint();
            parts.append(tx, "a0");
            tx.rollback(before);
            hold();
            tx.commit();
        }
        assertThat(look().placed()).isEmpty();
        assertThat(letGo()).isPositive();
    }

    @Test
    void letting_go_of_what_is_not_held_proves_nothing() {
        assertThat(parts.wakes.letGo(0)).isEmpty();
        assertThat(parts.wakes.hold(0)).isFalse();
        assertThat(parts.wakes.letGo(7)).isEmpty();
    }

    @Test
    void a_lane_can_be_held_and_let_go_of_again_and_again() {
        long last = 0;
        for (int i = 0; i < 20; i++) {
            hold();
            long horizon = letGo();
            assertThat(horizon).isGreaterThanOrEqualTo(last);
            last = horizon;
        }
        assertThat(locks()).isZero();
    }

    @Test
    void letting_go_takes_one_round_trip_and_no_wait() {
        hold();
        long begun = System.nanoTime();
        letGo();
        // a blocked listener would need its whole wait; how long exactly is the machine's affair
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void stopping_lets_go_of_every_lane() {
        hold();
        parts.wakes.stop();
        await().atMost(Duration.ofSeconds(5)).until(() -> locks() == 0);
        assertThat(parts.wakes.letGo(0)).isEmpty();
    }

    @Test
    void a_dead_nodes_lock_is_ended_and_taken_over() throws Exception {
        long key = parts.database.wakeNames().key(0);
        try (Connection dead = database.connect();
                var statement = dead.prepareStatement("select pg_advisory_lock(?)")) {
            statement.setLong(1, key);
            statement.execute();

            assertThat(parts.wakes.hold(0)).isFalse();

            await().atMost(Duration.ofSeconds(15)).until(() -> parts.wakes.hold(0));
            assertThat(parts.wakes.letGo(0)).isPresent();
        }
    }

    @Test
    void an_append_shares_the_lock_only_for_an_instant() throws Exception {
        try (Connection tx = begin()) {
            parts.append(tx, "a0");
            hold();
            tx.commit();
        }
        assertThat(letGo()).isPositive();
    }

    private void hold() {
        await().atMost(Duration.ofSeconds(5)).until(() -> parts.wakes.hold(0));
    }

    private long letGo() {
        OptionalLong horizon = parts.wakes.letGo(0);
        assertThat(horizon).isPresent();
        return horizon.getAsLong();
    }

    private Publication look() {
        return parts.publish(lease, Frontier.START);
    }

    private long locks() {
        return database.number("select count(*) from pg_locks where locktype = 'advisory' and database ="
                + " (select oid from pg_database where datname = current_database())");
    }

    private Connection begin() throws SQLException {
        Connection tx = database.connect();
        tx.setAutoCommit(false);
        return tx;
    }

    private static long xid(Connection tx) throws SQLException {
        try (var statement = tx.createStatement();
                var rows = statement.executeQuery("select pg_current_xact_id()::text::bigint")) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
