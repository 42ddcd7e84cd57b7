// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Settings;
import dev.fanout.WakeMode;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Leases;
import dev.fanout.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * {@code Wakes}. That something is not heard is shown by what comes after it: another node gives a lease back, and
 * since wakes arrive in the order of the commits, all that was to be heard before has been heard by then.
 */
abstract class WakeContract<T> extends Scene<T> {

    private static final String APPENDED = "appended " + Look.LANE;

    private final Ear ear = new Ear();
    private Store<T> other;
    private Lease fence;

    @BeforeEach
    void listen() throws Exception {
        other = anotherNode();
        Leases leases = other.leases();
        fence = leases.take("child/fence/0", 0, leases.join("fence", Set.of())).orElseThrow();
        store.wakes().listen(ear);
        ear.until("connected");
    }

    @AfterEach
    void stop() {
        store.wakes().stop();
    }

    @Test
    void a_free_lane_is_woken_once_by_a_commit() throws Exception {
        T tx = harness.begin();
        append(tx, Given.to("a").event(route(assets(0))).event(route(assets(0))));
        append(tx, Given.to("b").event(route(assets(0))));
        harness.commit(tx);
        assertThat(heard()).containsExactly(APPENDED);
    }

    @Test
    void nothing_is_heard_before_the_commit() throws Exception {
        T tx = harness.begin();
        append(tx, Given.to("a").event(route(assets(0))));
        assertThat(heard()).isEmpty();
        harness.commit(tx);
        assertThat(ear.until(APPENDED)).isEmpty();
        assertThat(waiting()).isEqualTo(1);
    }

    @Test
    void nothing_is_heard_of_a_rollback() throws Exception {
        T tx = harness.begin();
        append(tx, Given.to("a").event(route(assets(0))));
        harness.rollback(tx);
        assertThat(heard()).isEmpty();
    }

    @Test
    void nothing_is_heard_of_history_alone() throws Exception {
        appended(Given.to("a").event());
        assertThat(heard()).isEmpty();
    }

    @Test
    void an_append_while_the_lane_is_held_is_silent() throws Exception {
        hold();
        appended(Given.to("a").event(route(assets(0))));
        assertThat(heard()).isEmpty();
        assertThat(waiting()).isEqualTo(1);
    }

    @Test
    void an_append_of_another_node_while_the_lane_is_held_is_silent_too() throws Exception {
        hold();
        T tx = harness.begin();
        other.appends().append(tx, List.of(Given.to("a").event(route(assets(0))).build()));
        harness.commit(tx);
        assertThat(heard()).isEmpty();
    }

    @Test
    void letting_go_tells_a_horizon_above_every_append_that_was_silent() throws Exception {
        hold();
        T silent = harness.begin();
        append(silent, Given.to("a").event(route(assets(0))));
        long id = harness.id(silent);
        OptionalLong horizon = store.wakes().letGo(Look.LANE);
        assertThat(horizon.orElseThrow()).isGreaterThan(id);
        appended(Given.to("b").event(route(assets(0))));
        assertThat(heard()).containsExactly(APPENDED);
        harness.commit(silent);
        assertThat(heard()).isEmpty();
    }

    @Test
    void a_look_shows_when_every_silent_append_has_ended() throws Exception {
        Look look = new Look(takeLane()).full();
        hold();
        T silent = harness.begin();
        append(silent, Given.to("a").event(route(assets(0))));
        long horizon = store.wakes().letGo(Look.LANE).orElseThrow();
        assertThat(publish(look).running()).isLessThan(horizon);
        harness.commit(silent);
        assertThat(placed(look)).hasSize(1);
        assertThat(publish(look).running()).isGreaterThanOrEqualTo(horizon);
    }

    @Test
    void letting_go_of_what_is_not_held_proves_nothing() throws Exception {
        assertThat(store.wakes().letGo(Look.LANE)).isEmpty();
        hold();
        assertThat(store.wakes().letGo(Look.LANE)).isPresent();
        assertThat(store.wakes().letGo(Look.LANE)).isEmpty();
    }

    @Test
    void a_lane_can_be_held_again() throws Exception {
        hold();
        store.wakes().letGo(Look.LANE);
        hold();
        appended(Given.to("a").event(route(assets(0))));
        assertThat(heard()).isEmpty();
    }

    @Test
    void a_node_that_stops_lets_go_of_its_lanes() throws Exception {
        Ear later = new Ear();
        hold();
        store.wakes().stop();
        other.wakes().listen(later);
        later.until("connected");
        appended(Given.to("a").event(route(assets(0))));
        later.until(APPENDED);
        other.wakes().stop();
    }

    @Test
    void a_publication_is_announced_to_other_nodes_when_that_is_asked() throws Exception {
        appended(Given.to("a").event(route(assets(0))), Given.to("b").event(route(assets(0))));
        Look look = new Look(takeLane()).limit(1);
        other.outbox().publish(look.build());
        assertThat(heard()).doesNotContain("published");
        other.outbox().publish(look.announcing().build());
        assertThat(ear.until("published")).isEmpty();
    }

    @Test
    void a_node_that_leaves_is_heard_by_others() throws Exception {
        other.leases().remove(fence.node());
        assertThat(ear.until("released")).isEmpty();
    }

    @Test
    void always_wakes_a_lane_that_is_held() throws Exception {
        hold();
        Store<T> loud = harness.connect();
        loud.open(declaration(Settings.defaults().wakeMode(WakeMode.ALWAYS)));
        T tx = harness.begin();
        loud.appends().append(tx, List.of(Given.to("a").event(route(assets(0))).build()));
        harness.commit(tx);
        assertThat(heard()).containsExactly(APPENDED);
    }

    @Test
    void never_does_not_wake_a_lane_that_is_free() throws Exception {
        Store<T> quiet = harness.connect();
        quiet.open(declaration(Settings.defaults().wakeMode(WakeMode.NEVER)));
        T tx = harness.begin();
        quiet.appends().append(tx, List.of(Given.to("a").event(route(assets(0))).build()));
        harness.commit(tx);
        assertThat(heard()).isEmpty();
        assertThat(waiting()).isEqualTo(1);
    }

    private void hold() {
        Awaitility.await("the lane is held")
                .atMost(Duration.ofSeconds(30))
                .until(() -> store.wakes().hold(Look.LANE));
    }

    /** Everything that was heard of what has been committed so far. */
    private List<String> heard() throws InterruptedException {
        other.leases().release(fence);
        List<String> heard = ear.until("released");
        fence = other.leases()
                .take(fence.resource(), fence.token(), fence.node())
                .orElseThrow();
        return heard;
    }
}
