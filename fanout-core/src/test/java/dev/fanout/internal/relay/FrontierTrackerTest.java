// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.internal.Randomly;
import dev.fanout.spi.Frontier;
import dev.fanout.spi.Frontier.Range;
import dev.fanout.spi.Outbox.Placed;
import dev.fanout.spi.Outbox.Publication;
import dev.fanout.spi.StreamPartition;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FrontierTrackerTest {

    @ParameterizedTest(name = "entities {0}, {1} rows a look, {2} ranges kept, {3} new leader(s)")
    @CsvSource({
        "XX,  9, 1000, 1",
        "XY,  1, 1000, 1",
        "XXY, 9, 1000, 1",
        "XXY, 1, 1000, 1",
        "XYZ, 9, 1000, 1",
        "XYZ, 1, 1000, 1",
        "XYZ, 2, 1,    1",
        "XYZ, 9, 1,    1",
        "XXYZ, 2, 2,    0"
    })
    void every_committed_row_is_published_once_and_in_order_whatever_the_interleaving(
            String entities, int limit, int maxRanges, int newLeaders) {
        assertThat(Interleavings.walk(() ->
                                new OutboxWorld(entities, limit, maxRanges, newLeaders, OutboxWorld.Broken.NOTHING))
                        .violation())
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
    void without_any_one_safeguard_a_row_is_stranded_or_overtaken(OutboxWorld.Broken broken) {
        boolean found = List.of("XY", "XYZ", "XXY", "XXYZ").stream()
                .map(entities -> Interleavings.walk(() -> new OutboxWorld(entities, 1, 1_000, 0, broken)))
                .anyMatch(walk -> walk.violation().isPresent());
        boolean foundInLargerBatches = List.of("XYZ", "XXY").stream()
                .map(entities -> Interleavings.walk(() -> new OutboxWorld(entities, 9, 1_000, 0, broken)))
                .anyMatch(walk -> walk.violation().isPresent());

        assertThat(found || foundInLargerBatches).as("%s is noticed", broken).isTrue();
    }

    @Test
    void many_appends_at_random_leave_nothing_behind() {
        Randomly.times(300, random -> {
            int limit = Randomly.between(random, 1, 5);
            int maxRanges = Randomly.between(random, 1, 4);
            leavesNothingBehind(Randomly.numbers(random, 400, 1_000_000), limit, maxRanges);
        });
    }

    private static void leavesNothingBehind(List<Integer> choices, int limit, int maxRanges) {
        OutboxWorld world = new OutboxWorld("XYZXYZXYZXXYYZZ", limit, maxRanges, 3, OutboxWorld.Broken.NOTHING);
        for (int choice : choices) {
            List<Runnable> moves = world.moves();
            moves.get(choice % moves.size()).run();
            assertThat(world.violation()).isEmpty();
        }
        for (int look = 0; look < 20; look++) {
            world.look();
        }
        assertThat(world.waiting()).isEmpty();
        assertThat(world.violation()).isEmpty();
    }

    @Test
    void a_rolled_back_id_is_given_up_by_the_first_look_that_shows_its_transaction_ended() {
        FrontierTracker tracker = new FrontierTracker(Frontier.START);

        tracker.saw(look(5, 9, 1, 3), false);
        assertThat(tracker.frontier()).isEqualTo(new Frontier(3, List.of(new Range(2, 2))));
        tracker.saw(look(8, 0), false);
        assertThat(tracker.frontier().missing()).containsExactly(new Range(2, 2));
        tracker.saw(look(9, 0), false);
        assertThat(tracker.frontier()).isEqualTo(new Frontier(3, List.of()));
    }

    @Test
    void a_batch_cut_off_by_its_limit_gives_up_only_what_it_has_passed() {
        FrontierTracker tracker =
                new FrontierTracker(new Frontier(10_000, List.of(new Range(1, 2), new Range(5, 9_000))));

        tracker.saw(look(50, 60, LongStream.range(5, 105).toArray()), true);
        assertThat(tracker.frontier().missing()).containsExactly(new Range(1, 2), new Range(105, 9_000));
        tracker.saw(look(70, 80, LongStream.range(105, 205).toArray()), true);
        assertThat(tracker.frontier().missing()).containsExactly(new Range(205, 9_000));
        tracker.saw(look(90, 95, LongStream.range(205, 210).toArray()), false);
        assertThat(tracker.frontier().missing()).isEmpty();
    }

    @Test
    void a_stored_range_waits_for_the_transactions_of_the_first_publication_after_the_load() {
        FrontierTracker tracker = new FrontierTracker(new Frontier(7, List.of(new Range(4, 5))));

        tracker.saw(look(1_000, 0), false);
        assertThat(tracker.frontier().missing()).containsExactly(new Range(4, 5));
        tracker.saw(look(1_000, 1_001, 8), false);
        assertThat(tracker.frontier().missing()).containsExactly(new Range(4, 5));
        tracker.saw(look(1_001, 0), false);
        assertThat(tracker.frontier()).isEqualTo(new Frontier(8, List.of()));
    }

    @Test
    void the_backstop_may_find_rows_outside_of_every_range() {
        FrontierTracker tracker = new FrontierTracker(new Frontier(20, List.of(new Range(10, 12))));

        tracker.saw(look(1, 2, 3, 11, 15, 22), false);

        assertThat(tracker.frontier())
                .isEqualTo(new Frontier(22, List.of(new Range(10, 10), new Range(12, 12), new Range(21, 21))));
    }

    @Test
    void too_many_ranges_are_merged_and_none_is_forgotten() {
        FrontierTracker tracker = new FrontierTracker(Frontier.START);

        tracker.saw(look(1, 2, LongStream.rangeClosed(1, 5_000).map(i -> 2 * i).toArray()), false);

        List<Range> missing = tracker.frontier().missing();
        assertThat(missing).hasSizeLessThanOrEqualTo(FrontierTracker.MAX_RANGES);
        assertThat(LongStream.range(0, 5_000).map(i -> 2 * i + 1))
                .allMatch(id -> missing.stream().anyMatch(range -> range.from() <= id && id <= range.to()));
        assertThat(missing).isSortedAccordingTo((a, b) -> Long.compare(a.to(), b.from()));
    }

    private static Publication look(long running, long next, long... ids) {
        return new Publication(
                LongStream.of(ids)
                        .mapToObj(id -> new Placed(id, new StreamPartition(1, 0), id, Optional.empty()))
                        .toList(),
                running,
                next);
    }
}
