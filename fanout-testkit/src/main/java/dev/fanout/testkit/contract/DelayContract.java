// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.spi.Log.Slab;
import dev.fanout.spi.LogRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code Log.read} with a delay. Time is the database's throughout: the test has no clock of its own. */
abstract class DelayContract<T> extends Scene<T> {

    private static final String PAYLOAD = "{\"n\": 1}";
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration GAP = Duration.ofMillis(300);

    private Look look;

    @BeforeEach
    void takeTheLane() {
        look = new Look(takeLane());
    }

    @Test
    void a_record_is_not_there_before_it_is_due_and_it_is_said_how_long_that_takes() throws Exception {
        publish("a");
        Slab slab = read(0, 10, 1_000, DAY);
        assertThat(slab.records()).isEmpty();
        assertThat(slab.dueIn().orElseThrow()).isBetween(DAY.minusMinutes(5), DAY);
    }

    @Test
    void time_runs() throws Exception {
        publish("a");
        Duration first = read(0, 10, 1_000, DAY).dueIn().orElseThrow();
        Awaitility.await()
                .until(() -> read(0, 10, 1_000, DAY).dueIn().orElseThrow().compareTo(first) < 0);
    }

    @Test
    void a_record_is_there_once_it_is_due_and_never_before() throws Exception {
        publish("a");
        Instant due = committedAt(0).plus(GAP);
        Awaitility.await("the record is due").until(() -> {
            Slab slab = read(0, 10, 1_000, GAP);
            Instant after = now();
            assertThat(slab.records().isEmpty()).isEqualTo(slab.dueIn().isPresent());
            assertThat(slab.records().isEmpty() || !after.isBefore(due)).isTrue();
            return !slab.records().isEmpty();
        });
        assertThat(read(0, 10, 1_000, GAP).records()).isEqualTo(read(assets(0)));
    }

    @Test
    void what_is_due_comes_and_the_first_behind_it_says_when() throws Exception {
        publish("a", "a");
        awaitGap();
        publish("a", "a");
        Awaitility.await("a read that falls between").until(() -> {
            Slab slab = read(0, 10, 1_000, delayBetween(1, 2));
            assertThat(slab.records())
                    .isEqualTo(read(assets(0)).subList(0, slab.records().size()));
            return slab.records().size() == 2 && slab.dueIn().isPresent();
        });
    }

    @Test
    void a_slab_that_a_limit_ends_says_nothing_of_what_is_behind_it() throws Exception {
        publish("a", "a", "a");
        Duration tiny = Duration.ofNanos(1_000);
        Awaitility.await().until(() -> read(0, 10, 1_000, tiny).records().size() == 3);
        Slab two = read(0, 2, 1_000, tiny);
        assertThat(two.records()).extracting(LogRecord::position).containsExactly(0L, 1L);
        assertThat(two.dueIn()).isEmpty();
        Slab bytes = read(1, 10, 2L * PAYLOAD.length() - 1, tiny);
        assertThat(bytes.records()).extracting(LogRecord::position).containsExactly(1L);
        assertThat(bytes.dueIn()).isEmpty();
        assertThat(read(0, 10, 1, tiny).records())
                .extracting(LogRecord::position)
                .containsExactly(0L);
    }

    @Test
    void the_limit_does_not_hide_that_the_next_is_not_due() throws Exception {
        publish("a");
        awaitGap();
        publish("a");
        Awaitility.await("a read that falls between").until(() -> {
            Slab slab = read(0, 1, 1, delayBetween(0, 1));
            return slab.records().size() == 1 && slab.dueIn().isPresent();
        });
    }

    @Test
    void there_is_nothing_at_the_end_and_nothing_to_wait_for() throws Exception {
        publish("a");
        assertThat(read(1, 10, 1_000, DAY)).isEqualTo(new Slab(List.of(), Optional.empty()));
        assertThat(store.log().read(assets(1), 0, 10, 1_000, DAY).dueIn()).isEmpty();
    }

    @Test
    void without_a_delay_there_is_nothing_to_wait_for() throws Exception {
        publish("a");
        assertThat(read(0, 10, 1_000, Duration.ZERO).dueIn()).isEmpty();
        assertThat(read(1, 10, 1_000, Duration.ZERO).dueIn()).isEmpty();
    }

    @Test
    void a_year_is_a_delay() throws Exception {
        publish("a");
        Duration year = Duration.ofDays(365);
        assertThat(read(0, 10, 1_000, year).dueIn().orElseThrow()).isBetween(year.minusMinutes(5), year);
    }

    /** A delay that a read at this moment would find exactly between two records. */
    private Duration delayBetween(int older, int newer) {
        Instant from = committedAt(older);
        Instant middle = from.plus(Duration.between(from, committedAt(newer)).dividedBy(2));
        return Duration.between(middle, now());
    }

    /** The database's time, told by how long the first record still has to wait. */
    private Instant now() {
        return committedAt(0).plus(DAY).minus(read(0, 1, 1, DAY).dueIn().orElseThrow());
    }

    private void awaitGap() {
        Instant newest = committedAt(read(assets(0)).size() - 1);
        Awaitility.await().until(() -> now().isAfter(newest.plus(GAP)));
    }

    private Instant committedAt(int position) {
        return read(assets(0)).get(position).committedAt();
    }

    private Slab read(long from, int limit, long bytes, Duration delay) {
        return store.log().read(assets(0), from, limit, bytes, delay);
    }

    private void publish(String... ids) throws Exception {
        for (String id : ids) {
            appended(Given.to(id).event(PAYLOAD, route(assets(0))));
        }
        placed(look);
    }
}
