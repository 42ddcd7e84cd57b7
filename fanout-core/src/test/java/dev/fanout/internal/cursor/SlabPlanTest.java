// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import static dev.fanout.internal.cursor.Records.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Outcome;
import dev.fanout.internal.Randomly;
import dev.fanout.internal.cursor.SlabPlan.Due;
import dev.fanout.spi.Cursors.Aside;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Cursors.Gate;
import dev.fanout.spi.LogRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SlabPlanTest {

    @Test
    void what_all_was_applied_moves_the_cursor_to_the_end() {
        SlabPlan plan =
                plan(List.of(record(7, 1, 1), record(8, 2, 4), record(9, 1, 2)), Map.of(2L, new Gate(3, false)));
        plan.settle(plan.due(), applied(3));

        assertThat(versions(plan)).containsExactly(1L, 4L, 2L);
        assertThat(plan.to()).isEqualTo(10);
        assertThat(plan.counts(7)).isEqualTo(new Counts(3, 0, 0, 0, 0, 0, 0));
        assertThat(plan.gates()).isEqualTo(Map.of(1L, 2L, 2L, 4L));
        assertThat(plan.ahead()).isEmpty();
    }

    @Test
    void an_event_at_or_below_the_gate_is_not_delivered_and_counted() {
        SlabPlan plan = plan(
                List.of(record(0, 1, 4), record(1, 1, 5), record(2, 1, 6), record(3, 1, 6)),
                Map.of(1L, new Gate(5, false)));
        plan.settle(plan.due(), applied(1));

        assertThat(versions(plan)).containsExactly(6L);
        assertThat(plan.counts(0)).isEqualTo(new Counts(1, 3, 0, 0, 0, 0, 0));
    }

    @Test
    void a_slab_of_only_gated_records_is_passed_without_a_delivery() {
        SlabPlan plan = plan(List.of(record(0, 1, 1), record(1, 1, 2)), Map.of(1L, new Gate(2, false)));

        assertThat(plan.due()).isEmpty();
        assertThat(plan.hasNews(0)).isTrue();
        assertThat(plan.to()).isEqualTo(2);
        assertThat(plan.counts(0)).isEqualTo(new Counts(0, 2, 0, 0, 0, 0, 0));
        assertThat(plan.gates()).isEmpty();
    }

    @Test
    void what_was_acknowledged_before_a_refusal_is_kept_with_the_gated_between() {
        SlabPlan plan = plan(
                List.of(record(0, 1, 1), record(1, 2, 1), record(2, 3, 1), record(3, 4, 1)),
                Map.of(2L, new Gate(1, false)));
        plan.settle(plan.due(), List.of(Outcome.applied(), Outcome.retry(Duration.ofSeconds(1)), Outcome.applied()));

        assertThat(plan.to()).isEqualTo(2);
        assertThat(plan.counts(0)).isEqualTo(new Counts(1, 1, 0, 0, 0, 0, 0));
        assertThat(plan.gates()).isEqualTo(Map.of(1L, 1L));
        assertThat(plan.ahead()).isEmpty();
    }

    @Test
    void a_skipped_event_is_acknowledged_and_moves_the_gate() {
        SlabPlan plan = plan(List.of(record(0, 1, 1)), Map.of());
        plan.settle(plan.due(), List.of(Outcome.skip("not ours")));

        assertThat(plan.counts(0)).isEqualTo(new Counts(0, 0, 1, 0, 0, 0, 0));
        assertThat(plan.gates()).isEqualTo(Map.of(1L, 1L));
    }

    @Test
    void records_missing_before_the_slab_are_counted_as_lost_even_if_the_first_is_refused() {
        SlabPlan refused = plan(List.of(record(10, 1, 1)), Map.of());
        refused.settle(refused.due(), List.of(Outcome.failed(new IllegalStateException("no"))));
        assertThat(refused.to()).isEqualTo(10);
        assertThat(refused.counts(3)).isEqualTo(new Counts(0, 0, 0, 0, 0, 0, 7));

        SlabPlan plan = plan(List.of(record(10, 1, 1)), Map.of());
        plan.settle(plan.due(), applied(1));
        assertThat(plan.counts(3)).isEqualTo(new Counts(1, 0, 0, 0, 0, 0, 7));
    }

    @Test
    void outcomes_beyond_the_events_change_nothing() {
        SlabPlan plan = plan(List.of(record(0, 1, 1)), Map.of());
        plan.settle(plan.due(), applied(9));

        assertThat(plan.counts(0)).isEqualTo(new Counts(1, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void nothing_is_left_of_a_delivery_that_was_rolled_back() {
        SlabPlan plan = plan(List.of(record(6, 1, 1)), Map.of());
        plan.settle(plan.due(), applied(1));
        plan.unsettle(plan.due());

        assertThat(plan.to()).isEqualTo(6);
        assertThat(plan.counts(6)).isEqualTo(Counts.NONE);
        assertThat(plan.gates()).isEmpty();
        assertThat(plan.hasNews(6)).isFalse();
    }

    @Test
    void an_entity_that_is_held_stops_the_cursor_and_no_other_entity() {
        SlabPlan plan = new SlabPlan(
                List.of(record(0, 1, 1), record(1, 2, 1), record(2, 1, 2), record(3, 3, 1)),
                Map.of(),
                Map.of(),
                Set.of(2L),
                false);
        plan.settle(plan.due(), applied(3));

        assertThat(plan.to()).isEqualTo(1);
        assertThat(plan.gates()).isEqualTo(Map.of(1L, 2L, 3L, 1L));
        assertThat(plan.ahead()).isEqualTo(Map.of(2L, Fate.APPLIED, 3L, Fate.APPLIED));
    }

    @Test
    void what_was_settled_ahead_is_not_delivered_again_and_counted_as_what_it_was() {
        SlabPlan plan = new SlabPlan(
                List.of(record(0, 1, 1), record(1, 2, 1), record(2, 3, 1)),
                Map.of(1L, Fate.APPLIED, 2L, Fate.FILTERED),
                Map.of(2L, new Gate(1, false)),
                Set.of(),
                false);
        plan.settle(plan.due(), applied(1));

        assertThat(versions(plan)).containsExactly(1L);
        assertThat(plan.counts(0)).isEqualTo(new Counts(2, 0, 0, 1, 0, 0, 0));
        assertThat(plan.gates()).isEqualTo(Map.of(1L, 1L));
    }

    @Test
    void events_of_a_parked_entity_queue_up_and_the_cursor_passes_them() {
        SlabPlan plan = plan(List.of(record(0, 1, 2), record(1, 1, 3), record(2, 2, 1)), Map.of(1L, new Gate(1, true)));
        plan.settle(plan.due(), applied(1));

        assertThat(plan.aside()).containsExactly(new Aside(1, 2, 0), new Aside(1, 3, 1));
        assertThat(plan.to()).isEqualTo(3);
        assertThat(plan.counts(0)).isEqualTo(new Counts(1, 0, 0, 0, 2, 0, 0));
        assertThat(plan.gates()).isEqualTo(Map.of(2L, 1L));
    }

    @Test
    void parking_an_entity_sets_aside_all_of_it_that_is_not_settled() {
        SlabPlan plan = plan(List.of(record(0, 1, 1), record(1, 2, 1), record(2, 1, 2)), Map.of());
        plan.settle(plan.due().subList(1, 2), applied(1));
        plan.park(1);

        assertThat(plan.aside()).containsExactly(new Aside(1, 1, 0), new Aside(1, 2, 2));
        assertThat(plan.counts(0)).isEqualTo(new Counts(1, 0, 0, 0, 2, 0, 0));
        plan.wrote();
        assertThat(plan.aside()).isEmpty();
        assertThat(plan.gates()).isEmpty();
        assertThat(plan.acknowledged()).isEmpty();
    }

    @Test
    void only_the_newest_of_an_entity_is_delivered_where_only_that_matters_and_the_others_count_as_gated() {
        SlabPlan plan = new SlabPlan(
                List.of(record(0, 1, 1), record(1, 2, 1), record(2, 1, 2), record(3, 1, 3)),
                Map.of(),
                Map.of(),
                Set.of(),
                true);

        assertThat(plan.due()).extracting(Due::index).containsExactly(1, 3);
        plan.settle(plan.due().subList(0, 1), applied(1));
        assertThat(plan.to()).isZero();
        plan.settle(plan.due().subList(1, 2), applied(1));
        assertThat(plan.to()).isEqualTo(4);
        assertThat(plan.counts(0)).isEqualTo(new Counts(2, 2, 0, 0, 0, 0, 0));
        plan.unsettle(plan.due().subList(1, 2));
        assertThat(plan.to()).isZero();
    }

    @Test
    void every_record_is_accounted_for_and_applied_versions_strictly_grow() {
        Randomly.times(1_000, random -> {
            List<Integer> changes = Randomly.numbers(random, Randomly.between(random, 1, 40), 29);
            List<Integer> answers = Randomly.numbers(random, Randomly.between(random, 0, 40), 3);
            int parked = Randomly.between(random, 0, 3);
            int held = Randomly.between(random, 0, 3);
            accountsForAll(changes, answers, parked, held, Randomly.between(random, 0, 5));
        });
    }

    private static void accountsForAll(List<Integer> changes, List<Integer> answers, int parked, int held, int hole) {
        long from = 100;
        Map<Long, Gate> gates = new HashMap<>();
        Map.of(0L, 0L, 1L, 2L, 2L, 5L)
                .forEach((entity, version) -> gates.put(entity, new Gate(version, entity == parked)));
        List<LogRecord> records = new ArrayList<>();
        for (int change : changes) {
            records.add(record(from + hole + records.size(), change % 3, 1 + change / 3));
        }
        SlabPlan plan = new SlabPlan(records, Map.of(), gates, Set.of((long) held), false);
        plan.settle(plan.due(), answers.stream().map(SlabPlanTest::outcome).toList());

        Counts counts = plan.counts(from);
        assertThat(counts.sum()).isEqualTo(plan.to() - from);
        assertThat(List.of(counts.applied(), counts.gated(), counts.skipped(), counts.parked(), counts.lost()))
                .allMatch(n -> n >= 0);
        assertThat(plan.ahead().keySet()).allMatch(position -> position > plan.to());
        Map<Long, Long> last = new HashMap<>();
        gates.forEach((entity, gate) -> last.put(entity, gate.version()));
        for (LogRecord record : plan.acknowledged()) {
            assertThat(record.event().version())
                    .isGreaterThan(last.put(record.entityNo(), record.event().version()));
        }
        plan.gates().forEach((entity, version) -> assertThat(version).isEqualTo(last.get(entity)));
        assertThat(plan.due()).noneMatch(due -> due.entityNo() == held || due.entityNo() == parked);
    }

    private static SlabPlan plan(List<LogRecord> records, Map<Long, Gate> gates) {
        return new SlabPlan(records, Map.of(), gates, Set.of(), false);
    }

    private static List<Long> versions(SlabPlan plan) {
        return plan.due().stream().map(due -> due.event().version()).toList();
    }

    private static Outcome outcome(int choice) {
        return switch (choice) {
            case 0 -> Outcome.retry(Duration.ZERO);
            case 1 -> Outcome.skip("on purpose");
            default -> Outcome.applied();
        };
    }

    private static List<Outcome> applied(int count) {
        return Collections.nCopies(count, Outcome.applied());
    }
}
