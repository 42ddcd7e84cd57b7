// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.spi.Appends.Route;
import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Aside;
import dev.fanout.spi.Cursors.Blocked;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Cursors.Cursor;
import dev.fanout.spi.Cursors.Forward;
import dev.fanout.spi.Cursors.Freed;
import dev.fanout.spi.Cursors.Parking;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Lease;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Outbox.Placed;
import dev.fanout.spi.Store;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Steps that publish to a child stream: from {@code assets} to {@code audit}. */
abstract class ForwardContract<T> extends Scene<T> {

    private static final int RECORDS = 6;

    private Lease lane;
    private Lease lease;
    private List<LogRecord> records;

    @BeforeEach
    void publish() throws Exception {
        for (int i = 0; i < RECORDS; i++) {
            appended(Given.to(i % 2 == 0 ? "a" : "b").event("{\"n\": " + i + "}", route(assets(0))));
        }
        lane = takeLane();
        placed(new Look(lane));
        records = read(assets(0));
        lease = take("child/search/0");
    }

    @Test
    void what_is_passed_on_is_published_once_in_its_order_and_unchanged() {
        store.cursors().advance(passingOn(0, 4, 1, 3, 0, 2, 5));
        assertThat(waiting()).isEqualTo(RECORDS);
        List<Placed> placed = placed(new Look(lane));
        assertThat(placed).hasSize(RECORDS).extracting(Placed::id).isSorted();
        assertThat(placed(new Look(lane))).isEmpty();
        assertThat(read(audit()))
                .extracting(LogRecord::event)
                .isEqualTo(records.stream().map(LogRecord::event).toList());
        assertThat(read(audit())).extracting(LogRecord::position).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void ids_are_above_those_that_were_drawn_before() throws Exception {
        appended(Given.to("c").event(route(assets(1))));
        long before = placed(new Look(lane)).get(0).id();
        store.cursors().advance(passingOn(0, 0, 1));
        assertThat(placed(new Look(lane).beyond(before))).hasSize(2).allMatch(row -> row.id() > before);
    }

    @Test
    void later_steps_come_behind_earlier_ones() {
        store.cursors().advance(passingOn(0, 0, 1, 2));
        store.cursors().advance(passingOn(1, 3, 4, 5));
        placed(new Look(lane));
        assertThat(read(audit()))
                .extracting(LogRecord::event)
                .isEqualTo(records.stream().map(LogRecord::event).toList());
    }

    @Test
    void each_record_goes_where_its_route_says() {
        List<Forward> forwards =
                List.of(forward(records.get(0), route(audit())), forward(records.get(1), route(assets(1))));
        store.cursors().advance(step(0, forwards));
        placed(new Look(lane));
        assertThat(read(audit()))
                .extracting(LogRecord::event)
                .containsExactly(records.get(0).event());
        assertThat(read(assets(1)))
                .extracting(LogRecord::event)
                .containsExactly(records.get(1).event());
    }

    @Test
    void a_stale_lease_passes_nothing_on() {
        Advance stale = passingOn(0, 0, 1, 2);
        lease = takeOver(lease);
        assertThatThrownBy(() -> store.cursors().advance(stale)).isInstanceOf(FencedException.class);
        assertThat(waiting()).isZero();
        store.cursors().advance(passingOn(0, 0, 1, 2));
        assertThat(waiting()).isEqualTo(3);
    }

    @Test
    void the_same_step_again_passes_nothing_on() {
        store.cursors().advance(passingOn(0, 0, 1, 2));
        assertThatThrownBy(() -> store.cursors().advance(passingOn(0, 0, 1, 2))).isInstanceOf(ForgottenException.class);
        assertThat(waiting()).isEqualTo(3);
    }

    @Test
    void a_record_that_the_log_does_not_hold_stops_the_whole_step() {
        assertThatThrownBy(() -> store.cursors().advance(passingOn(0, beyondTheLog(), records.get(0))))
                .isInstanceOf(ForgottenException.class);
        assertThat(waiting()).isZero();
        assertThat(store.cursors().cursor(child("search"), 0)).isEqualTo(Cursor.START);
    }

    @Test
    void a_relay_that_sleeps_is_woken_by_what_is_passed_on_and_one_that_is_awake_is_not() throws Exception {
        Store<T> other = anotherNode();
        Ear ear = new Ear();
        other.wakes().listen(ear);
        ear.until("connected");
        store.cursors().advance(passingOn(0, 0));
        ear.until("appended " + Look.LANE);

        Awaitility.await("the lane is held")
                .atMost(Duration.ofSeconds(30))
                .until(() -> other.wakes().hold(Look.LANE));
        store.cursors().advance(passingOn(1, 1));
        long node = store.leases().join("fence", Set.of());
        store.leases().release(store.leases().take("child/fence/0", 0, node).orElseThrow());
        assertThat(ear.until("released")).isEmpty();
        other.wakes().stop();
    }

    @Test
    void a_parked_record_is_passed_on_even_if_the_log_holds_it_no_longer() {
        LogRecord gone = beyondTheLog();
        long entity = gone.entityNo();
        long version = gone.event().version();
        Parking aside = new Parking(
                List.of(new Blocked(entity, version, "broken", 1)),
                List.of(new Aside(entity, version, gone.position())),
                List.of());
        store.cursors().advance(step(0, aside, List.of()));
        Parking freed = new Parking(List.of(), List.of(), List.of(new Freed(entity, version, true)));
        store.cursors().advance(step(1, freed, List.of(forward(gone, route(audit())))));
        placed(new Look(lane));
        assertThat(read(audit())).extracting(LogRecord::event).containsExactly(gone.event());
        assertThat(store.parked().list(child("search"), 10)).isEmpty();
    }

    /** A record as if it had been read from a place of the log that does not exist any more. */
    private LogRecord beyondTheLog() {
        LogRecord last = records.get(RECORDS - 1);
        return new LogRecord(RECORDS, last.committedAt(), last.entityNo(), last.size(), last.event());
    }

    private static Forward forward(LogRecord record, Route route) {
        return new Forward(record.position(), record.entityNo(), record.event().version(), route);
    }

    private Advance passingOn(int step, int... positions) {
        return passingOn(step, Arrays.stream(positions).mapToObj(records::get).toArray(LogRecord[]::new));
    }

    private Advance passingOn(int step, LogRecord... passed) {
        return step(
                step,
                Arrays.stream(passed).map(one -> forward(one, route(audit()))).toList());
    }

    /** The nth step, each as if it moved by one. */
    private Advance step(int step, List<Forward> forwards) {
        return step(step, Parking.NONE, forwards);
    }

    private Advance step(int step, Parking parking, List<Forward> forwards) {
        Cursor from = new Cursor(step, step, new Counts(step, 0, 0, 0, 0, 0, 0));
        Cursor to = from.next(step + 1L, new Counts(1, 0, 0, 0, 0, 0, 0));
        return new Advance(
                lease, child("search"), 0, from, to, Map.of(), Map.of(), parking, forwards, Optional.empty());
    }
}
