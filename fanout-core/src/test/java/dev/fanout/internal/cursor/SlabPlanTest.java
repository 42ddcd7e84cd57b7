// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import static dev.fanout.internal.cursor.Records.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.internal.Randomly;
import dev.fanout.internal.cursor.SlabPlan.Result;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.LogRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlabPlanTest {

    @Test
    void what_all_was_applied_moves_the_cursor_to_the_end() {
        SlabPlan plan = new SlabPlan(7, List.of(record(7, 1, 1), record(8, 2, 4), record(9, 1, 2)), Map.of(2L, 3L));

        Result result = plan.after(applied(3));

        assertThat(plan.events()).extracting(Event::version).containsExactly(1L, 4L, 2L);
        assertThat(result.to()).isEqualTo(10);
        assertThat(result.counts()).isEqualTo(new Counts(3, 0, 0, 0));
        assertThat(result.gates()).isEqualTo(Map.of(1L, 2L, 2L, 4L));
        assertThat(result.passed()).isEqualTo(Map.of(2L, 3L));
        assertThat(result.refusal()).isNull();
    }

    @Test
    void an_event_at_or_below_the_gate_is_not_delivered_and_counted() {
        SlabPlan plan = new SlabPlan(
                0, List.of(record(0, 1, 4), record(1, 1, 5), record(2, 1, 6), record(3, 1, 6)), Map.of(1L, 5L));

        assertThat(plan.events()).extracting(Event::version).containsExactly(6L);
        assertThat(plan.after(applied(1)).counts()).isEqualTo(new Counts(1, 3, 0, 0));
    }

    @Test
    void a_slab_of_only_gated_records_is_passed_without_a_delivery() {
        SlabPlan plan = new SlabPlan(0, List.of(record(0, 1, 1), record(1, 1, 2)), Map.of(1L, 2L));

        Result result = plan.after(List.of());

        assertThat(plan.events()).isEmpty();
        assertThat(result.to()).isEqualTo(2);
        assertThat(result.counts()).isEqualTo(new Counts(0, 2, 0, 0));
        assertThat(result.gates()).isEmpty();
    }

    @Test
    void what_was_acknowledged_before_a_refusal_is_kept_with_the_gated_between() {
        SlabPlan plan = new SlabPlan(
                0, List.of(record(0, 1, 1), record(1, 2, 1), record(2, 3, 1), record(3, 4, 1)), Map.of(2L, 1L));

        Result result = plan.after(List.of(Outcome.applied(), Outcome.retry(Duration.ofSeconds(1)), Outcome.applied()));

        assertThat(result.to()).isEqualTo(2);
        assertThat(result.counts()).isEqualTo(new Counts(1, 1, 0, 0));
        assertThat(result.gates()).isEqualTo(Map.of(1L, 1L));
        assertThat(result.refusal()).isInstanceOf(Outcome.Retry.class);
    }

    @Test
    void a_skipped_event_is_acknowledged_and_moves_the_gate() {
        Result result = new SlabPlan(0, List.of(record(0, 1, 1)), Map.of()).after(List.of(Outcome.skip("not ours")));

        assertThat(result.counts()).isEqualTo(new Counts(0, 0, 1, 0));
        assertThat(result.gates()).isEqualTo(Map.of(1L, 1L));
        assertThat(result.refusal()).isNull();
    }

    @Test
    void records_missing_before_the_slab_are_counted_as_lost_even_if_the_first_is_refused() {
        SlabPlan plan = new SlabPlan(3, List.of(record(10, 1, 1)), Map.of());

        assertThat(plan.after(applied(1)).counts()).isEqualTo(new Counts(1, 0, 0, 7));
        Result refused = plan.after(List.of(Outcome.failed(new IllegalStateException("no"))));
        assertThat(refused.counts()).isEqualTo(new Counts(0, 0, 0, 7));
        assertThat(refused.to()).isEqualTo(10);
    }

    @Test
    void an_event_without_an_outcome_is_a_failure_that_says_what_to_do() {
        SlabPlan plan = new SlabPlan(0, List.of(record(0, 1, 1), record(1, 1, 2)), Map.of());

        assertThat(plan.after(applied(1)).refusal())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.cause())
                                .hasMessageContaining("returned 1 outcome(s)")
                                .hasMessageContaining("return one outcome for each event"));
        assertThat(plan.after(Arrays.asList(null, Outcome.applied())).to()).isZero();
    }

    @Test
    void outcomes_beyond_the_events_change_nothing() {
        assertThat(new SlabPlan(0, List.of(record(0, 1, 1)), Map.of())
                        .after(applied(9))
                        .counts())
                .isEqualTo(new Counts(1, 0, 0, 0));
    }

    @Test
    void nothing_is_written_of_a_slab_that_was_rolled_back() {
        Result result = new SlabPlan(5, List.of(record(6, 1, 1)), Map.of()).nothing(Outcome.retry(Duration.ZERO));

        assertThat(result.to()).isEqualTo(5);
        assertThat(result.counts()).isEqualTo(Counts.NONE);
        assertThat(result.gates()).isEmpty();
    }

    @Test
    void every_record_is_accounted_for_and_applied_versions_strictly_grow() {
        Randomly.times(1_000, random -> {
            List<Integer> changes = Randomly.numbers(random, Randomly.between(random, 1, 40), 29);
            List<Integer> answers = Randomly.numbers(random, Randomly.between(random, 0, 40), 3);
            accountsForAll(changes, answers, Randomly.between(random, 0, 5));
        });
    }

    private static void accountsForAll(List<Integer> changes, List<Integer> answers, int hole) {
        long from = 100;
        Map<Long, Long> known = Map.of(0L, 0L, 1L, 2L, 2L, 5L);
        List<LogRecord> records = new ArrayList<>();
        for (int change : changes) {
            records.add(record(from + hole + records.size(), change % 3, 1 + change / 3));
        }
        SlabPlan plan = new SlabPlan(from, records, known);

        Result result = plan.after(answers.stream().map(SlabPlanTest::outcome).toList());

        Counts counts = result.counts();
        assertThat(counts.applied() + counts.gated() + counts.skipped() + counts.lost())
                .isEqualTo(result.to() - from);
        assertThat(List.of(counts.applied(), counts.gated(), counts.skipped(), counts.lost()))
                .allMatch(n -> n >= 0);
        assertThat(counts.applied() + counts.skipped())
                .isEqualTo(result.acknowledged().size());
        Map<String, Long> last = new HashMap<>();
        known.forEach((entity, version) -> last.put("a" + entity, version));
        for (Event event : plan.events()) {
            assertThat(event.version()).isGreaterThan(last.put(event.entity().id(), event.version()));
        }
        assertThat(result.acknowledged())
                .isEqualTo(plan.events().subList(0, result.acknowledged().size()));
        assertThat(result.refusal() == null).isEqualTo(result.to() == from + hole + records.size());
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
