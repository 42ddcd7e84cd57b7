// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Settings;
import dev.fanout.StreamSpec.Partitioner;
import dev.fanout.internal.TestPlatform;
import dev.fanout.internal.node.Ownership;
import dev.fanout.internal.step.Next;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Layout.Attachment;
import dev.fanout.spi.Layout.Stream;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Retention;
import dev.fanout.spi.StreamPartition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The janitor on virtual time, against a database clock of its own. */
class JanitorTest {

    private static final Instant BEGIN = Instant.parse("2026-11-30T12:00:00Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final TestPlatform platform = new TestPlatform();
    private final Records records = new Records();
    private final Lease lease = new Lease("retention", 1, 1);
    private final List<Lease> lost = new ArrayList<>();
    private boolean holds = true;
    private Duration ahead = Duration.ZERO;
    private List<Attachment> attachments = List.of();
    private Duration retention = Duration.ofDays(1);
    private final Janitor janitor =
            new Janitor(lease, records, this::layout, Settings.defaults().slabRecords(10), platform, new Owned());

    @Test
    void nothing_is_removed_on_the_first_reading_of_the_clock() {
        assertThat(janitor.step()).isEqualTo(Next.after(MINUTE));
        assertThat(records.asked).isEmpty();

        stepAfter(MINUTE);
        assertThat(records.asked).containsExactly("0 0 before " + now().minus(retention));
    }

    @Test
    void a_full_batch_is_followed_by_another_at_once_that_begins_behind_it() {
        janitor.step();
        records.old = 25;

        assertThat(stepAfter(MINUTE)).isEqualTo(Next.NOW);
        assertThat(janitor.step()).isEqualTo(Next.NOW);
        assertThat(janitor.step()).isEqualTo(Next.after(MINUTE));
        assertThat(records.asked)
                .extracting(asked -> asked.substring(0, asked.indexOf(" before")))
                .containsExactly("0 0", "0 10", "0 20");
    }

    @Test
    void a_clock_that_jumps_forward_removes_nothing_until_it_has_run_evenly_for_an_hour() {
        janitor.step();
        ahead = Duration.ofDays(30);
        stepAfter(MINUTE);
        for (int i = 0; i < 59; i++) {
            stepAfter(MINUTE);
        }
        assertThat(records.asked).isEmpty();

        stepAfter(MINUTE);
        stepAfter(MINUTE);
        assertThat(records.asked).isNotEmpty();
    }

    @Test
    void a_clock_that_was_set_back_in_time_has_cost_nothing() {
        janitor.step();
        ahead = Duration.ofDays(30);
        stepAfter(MINUTE);
        stepAfter(MINUTE);
        ahead = Duration.ZERO;
        for (int i = 0; i < 70; i++) {
            stepAfter(MINUTE);
        }

        assertThat(records.asked).isNotEmpty().allMatch(asked -> before(asked).isBefore(now()));
        assertThat(before(records.asked.get(0))).isBefore(BEGIN);
    }

    @Test
    void a_clock_that_jumps_backward_is_a_jump_too() {
        janitor.step();
        ahead = Duration.ofDays(-1);
        stepAfter(MINUTE);
        stepAfter(MINUTE);

        assertThat(records.asked).isEmpty();
    }

    @Test
    void a_stream_keeps_its_records_for_the_longest_delay_of_its_children_and_an_hour_whatever_it_says() {
        attachments = List.of(delayed(1, Duration.ofDays(3)), delayed(2, Duration.ofDays(2)));
        janitor.step();
        stepAfter(MINUTE);

        assertThat(before(records.asked.get(0)))
                .isEqualTo(now().minus(Duration.ofDays(3)).minus(Duration.ofHours(1)));
    }

    @Test
    void a_janitor_whose_lease_is_not_safe_stands_still() {
        janitor.step();
        holds = false;
        stepAfter(MINUTE);

        assertThat(records.asked).isEmpty();
    }

    @Test
    void a_janitor_whose_lease_was_taken_removes_nothing_and_gives_up() {
        janitor.step();
        records.fenced = true;

        assertThat(stepAfter(MINUTE)).isEqualTo(Next.ON_SIGNAL);
        assertThat(lost).containsExactly(lease);
    }

    private Next stepAfter(Duration time) {
        platform.pass(time);
        return janitor.step();
    }

    private Instant now() {
        return BEGIN.plusNanos(platform.nanoTime()).plus(ahead);
    }

    private static Instant before(String asked) {
        return Instant.parse(asked.substring(asked.lastIndexOf(' ') + 1));
    }

    private Layout layout() {
        return new Layout(
                List.of(new Stream(1, "assets", Set.of("asset"), 1, 0, Partitioner.ENTITY, retention)), attachments);
    }

    private static Attachment delayed(int no, Duration delay) {
        return new Attachment(no, "child-" + no, 1, "e", false, delay);
    }

    /** So many old records in one partition. */
    private final class Records implements Retention {
        private final List<String> asked = new ArrayList<>();
        private long old;
        private boolean fenced;

        @Override
        public Instant now() {
            return JanitorTest.this.now();
        }

        @Override
        public Batch remove(Lease by, StreamPartition partition, long from, Instant before, int limit) {
            if (fenced) {
                throw new FencedException(by);
            }
            asked.add(partition.partition() + " " + from + " before " + before);
            long removed = Math.min(limit, old);
            old -= removed;
            return new Batch(removed, from + removed);
        }
    }

    private final class Owned implements Ownership {

        @Override
        public boolean holds(Lease held) {
            return holds;
        }

        @Override
        public void lost(Lease gone) {
            lost.add(gone);
        }
    }
}
