// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Settings;
import dev.fanout.internal.step.Next;
import dev.fanout.spi.Outbox.Publication;
import dev.fanout.spi.Wakes;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WakefulnessTest {

    private static final long LATE = Duration.ofMinutes(1).toNanos();
    private static final Publication NOTHING_RUNS = new Publication(List.of(), Long.MAX_VALUE, 0);

    private final Lane lane = new Lane();
    private final Wakefulness relay = new Wakefulness(Settings.defaults(), lane, 0, 0);

    @ParameterizedTest(name = "{0} append(s), the lock with a dead node: {1}")
    @CsvSource({"1, false", "2, false", "3, false", "1, true", "2, true"})
    void the_relay_never_sleeps_on_a_committed_row_whatever_the_interleaving(int appends, boolean deadNodeHolds) {
        assertThat(Interleavings.walk(() -> new WakeWorld(appends, deadNodeHolds, WakeWorld.Broken.NOTHING))
                        .violation())
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
    void without_any_one_safeguard_a_row_is_slept_on(WakeWorld.Broken broken) {
        boolean deadNodeHolds = broken == WakeWorld.Broken.HOLD_NOT_OURS;

        assertThat(IntStream.rangeClosed(1, 3)
                        .mapToObj(n -> Interleavings.walk(() -> new WakeWorld(n, deadNodeHolds, broken)))
                        .anyMatch(walk -> walk.violation().isPresent()))
                .as("%s is noticed", broken)
                .isTrue();
    }

    @Test
    void it_sleeps_once_all_who_saw_it_awake_have_ended() {
        fallAsleep();

        assertThat(lane.held).isFalse();
        assertThat(relay.state()).isEqualTo(Wakefulness.State.ASLEEP);
    }

    @Test
    void a_transaction_that_saw_it_awake_and_runs_on_keeps_it_drowsy() {
        lane.free = true;
        relay.afterNone(NOTHING_RUNS, LATE, false);
        assertThat(relay.state()).isEqualTo(Wakefulness.State.DROWSY);

        relay.afterNone(new Publication(List.of(), Lane.HORIZON - 1, 0), LATE, false);
        assertThat(relay.state()).isEqualTo(Wakefulness.State.DROWSY);
        relay.afterNone(new Publication(List.of(), Lane.HORIZON, 0), LATE, false);
        assertThat(relay.state()).isEqualTo(Wakefulness.State.ASLEEP);
    }

    @Test
    void it_never_sleeps_without_having_held_the_lane() {
        for (int look = 0; look < 100; look++) {
            relay.afterNone(NOTHING_RUNS, LATE, false);
        }

        assertThat(relay.state()).isEqualTo(Wakefulness.State.AWAKE);
        assertThat(relay.afterNone(NOTHING_RUNS, LATE, false))
                .isEqualTo(Next.after(Settings.defaults().pollInterval()));
    }

    @Test
    void a_lone_append_does_not_take_the_lane() {
        fallAsleep();

        relay.afterRows(1, false, 2 * LATE);

        assertThat(relay.state()).isEqualTo(Wakefulness.State.ASLEEP);
        assertThat(lane.held).isFalse();
    }

    @Test
    void a_second_append_shortly_after_the_first_wakes_it() {
        fallAsleep();

        relay.afterRows(1, false, 2 * LATE);
        relay.afterRows(1, false, 2 * LATE + Duration.ofMillis(10).toNanos());

        assertThat(relay.state()).isEqualTo(Wakefulness.State.AWAKE);
        assertThat(lane.held).isTrue();
    }

    @Test
    void many_rows_at_once_wake_it_so_that_a_busy_relay_is_never_asleep() {
        fallAsleep();

        Next next = relay.afterRows(Wakefulness.BUSY_ROWS, false, 2 * LATE);

        assertThat(relay.state()).isEqualTo(Wakefulness.State.AWAKE);
        assertThat(next).isEqualTo(Next.after(Wakefulness.BUSY_PAUSE));
    }

    @Test
    void a_full_slab_is_followed_by_a_look_at_once() {
        fallAsleep();

        assertThat(relay.afterRows(4, true, 2 * LATE)).isEqualTo(Next.NOW);
        assertThat(relay.state()).isEqualTo(Wakefulness.State.AWAKE);
    }

    @Test
    void while_a_local_commit_is_expected_it_looks_every_half_millisecond_in_every_state() {
        lane.free = true;
        assertThat(relay.afterNone(NOTHING_RUNS, 0, true)).isEqualTo(Next.after(Wakefulness.HINT_POLL));
        relay.afterNone(NOTHING_RUNS, LATE, false);
        Publication oneRuns = new Publication(List.of(), 1, 0);
        assertThat(relay.afterNone(oneRuns, LATE, true)).isEqualTo(Next.after(Wakefulness.HINT_POLL));
        assertThat(relay.afterNone(NOTHING_RUNS, LATE, true)).isEqualTo(Next.after(Wakefulness.HINT_POLL));
        assertThat(relay.state()).isEqualTo(Wakefulness.State.ASLEEP);
        assertThat(relay.afterNone(NOTHING_RUNS, LATE, true)).isEqualTo(Next.after(Wakefulness.HINT_POLL));
    }

    private void fallAsleep() {
        lane.free = true;
        while (relay.state() != Wakefulness.State.ASLEEP) {
            relay.afterNone(NOTHING_RUNS, LATE, false);
        }
    }

    private static final class Lane implements Wakes {

        static final long HORIZON = 77;

        private boolean free;
        private boolean held;

        @Override
        public boolean hold(int lane) {
            held = free;
            return held;
        }

        @Override
        public OptionalLong letGo(int lane) {
            boolean was = held;
            held = false;
            return was ? OptionalLong.of(HORIZON) : OptionalLong.empty();
        }

        @Override
        public void listen(Hearer hearer) {}

        @Override
        public void stop() {}
    }
}
