// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Frontier;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Outbox.Placed;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code Outbox}: late commits, frontiers, and when nothing may be published. */
abstract class FrontierContract<T> extends Scene<T> {

    @Test
    void a_row_that_commits_late_is_in_a_later_batch() throws Exception {
        Lease lease = takeLane();
        T late = harness.begin();
        append(late, Given.to("late").event(route(assets(0))));
        appended(Given.to("early").event(route(assets(0))));
        long mark = onlyId(placed(new Look(lease)));
        harness.commit(late);
        assertThat(placed(new Look(lease).beyond(mark))).isEmpty();
        List<Placed> placed = placed(new Look(lease).beyond(mark, new Frontier.Range(1, mark - 1)));
        assertThat(onlyId(placed)).isLessThan(mark);
        assertThat(placed.get(0).position()).isEqualTo(1);
    }

    @Test
    void rows_of_the_missing_ranges_and_beyond_the_mark_come_by_ascending_id() throws Exception {
        Lease lease = takeLane();
        T late = harness.begin();
        append(late, Given.to("late").event(route(assets(0))));
        appended(Given.to("early").event(route(assets(0))));
        long mark = onlyId(placed(new Look(lease)));
        appended(Given.to("early").event(route(assets(0))));
        harness.commit(late);
        List<Placed> placed = placed(new Look(lease).beyond(mark, new Frontier.Range(1, mark - 1)));
        assertThat(placed).hasSize(2).extracting(Placed::id).isSorted();
        assertThat(placed.get(0).id()).isLessThan(mark);
        assertThat(placed.get(1).id()).isGreaterThan(mark);
    }

    @Test
    void the_limit_counts_rows_of_the_ranges_too() throws Exception {
        Lease lease = takeLane();
        T late = harness.begin();
        append(late, Given.to("late").event(route(assets(0))));
        appended(Given.to("early").event(route(assets(0))));
        long mark = onlyId(placed(new Look(lease)));
        appended(Given.to("early").event(route(assets(0))));
        harness.commit(late);
        Look look = new Look(lease).beyond(mark, new Frontier.Range(1, mark - 1));
        assertThat(onlyId(placed(look.limit(1)))).isLessThan(mark);
        assertThat(onlyId(placed(look))).isGreaterThan(mark);
    }

    @Test
    void a_full_look_finds_rows_that_the_frontier_hides() throws Exception {
        Lease lease = takeLane();
        appended(Given.to("a").event(route(assets(0))));
        assertThat(placed(new Look(lease).beyond(1_000))).isEmpty();
        assertThat(placed(new Look(lease).beyond(1_000).full())).hasSize(1);
    }

    @Test
    void a_stale_lease_publishes_nothing() throws Exception {
        Lease stale = takeLane();
        appended(Given.to("a").event(route(assets(0))));
        Lease fresh = takeOver(stale);
        assertThatThrownBy(() -> publish(new Look(stale))).isInstanceOf(FencedException.class);
        assertThat(waiting()).isEqualTo(1);
        assertThat(read(assets(0))).isEmpty();
        assertThat(placed(new Look(fresh))).hasSize(1);
    }

    @Test
    void a_tail_below_what_the_relay_remembers_publishes_nothing() throws Exception {
        Lease lease = takeLane();
        appended(Given.to("a").event(route(assets(0))));
        placed(new Look(lease));
        appended(Given.to("a").event(route(assets(0))));
        assertThatThrownBy(() -> publish(new Look(lease).remembering(assets(0), 2)))
                .isInstanceOf(ForgottenException.class);
        assertThatThrownBy(() -> publish(new Look(lease).remembering(assets(1), 1)))
                .isInstanceOf(ForgottenException.class);
        assertThat(waiting()).isEqualTo(1);
        assertThat(read(assets(0))).hasSize(1);
    }

    @Test
    void tails_that_the_log_agrees_with_change_nothing() throws Exception {
        Lease lease = takeLane();
        appended(Given.to("a").event(route(assets(0))));
        placed(new Look(lease));
        appended(Given.to("a").event(route(assets(0))));
        Look look = new Look(lease).remembering(assets(0), 1).remembering(assets(1), 0);
        assertThat(placed(look)).hasSize(1);
    }

    @Test
    void a_lane_that_nobody_published_begins_at_the_start() {
        assertThat(store.outbox().frontier(Look.LANE)).isEqualTo(Frontier.START);
    }

    @Test
    void a_new_leader_finds_the_frontier_of_the_last_publication() throws Exception {
        Lease lease = takeLane();
        appended(Given.to("a").event(route(assets(0))).event(route(assets(0))));
        placed(new Look(lease).limit(1));
        appended(Given.to("a").event(route(assets(0))));
        Frontier.Range[] missing = {new Frontier.Range(1, 3), new Frontier.Range(7, 7)};
        placed(new Look(lease).beyond(9, missing).full());
        assertThat(anotherNode().outbox().frontier(Look.LANE)).isEqualTo(new Frontier(9, List.of(missing)));
    }

    @Test
    void a_fenced_publication_leaves_the_frontier() throws Exception {
        Lease stale = takeLane();
        appended(Given.to("a").event(route(assets(0))));
        takeOver(stale);
        assertThatThrownBy(() -> publish(new Look(stale).beyond(9).full())).isInstanceOf(FencedException.class);
        assertThat(store.outbox().frontier(Look.LANE)).isEqualTo(Frontier.START);
    }

    private static long onlyId(List<Placed> placed) {
        assertThat(placed).hasSize(1);
        return placed.get(0).id();
    }
}
