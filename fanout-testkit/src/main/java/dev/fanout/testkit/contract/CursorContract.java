// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Cursors.Cursor;
import dev.fanout.spi.Cursors.Gate;
import dev.fanout.spi.Cursors.Parking;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Lease;
import dev.fanout.spi.LogRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code Cursors}, but for transactional deliveries. */
abstract class CursorContract<T> extends Scene<T> {

    private static final Counts TWO = new Counts(1, 1, 0, 0, 0, 0, 0);
    private static final int STEPS = 100;
    private static final Cursor AT_TWO = Cursor.START.next(2, TWO);

    private Lease lease;

    @BeforeEach
    void takeChild() {
        lease = take("child/search/0");
    }

    @Test
    void a_step_moves_the_cursor_and_keeps_the_counts() {
        store.cursors().advance(step(Cursor.START, AT_TWO));
        assertThat(cursor()).isEqualTo(AT_TWO);
        Cursor next = AT_TWO.next(12, new Counts(0, 0, 1, 2, 3, 4, 5));
        store.cursors().advance(step(AT_TWO, next));
        assertThat(cursor()).isEqualTo(new Cursor(2, 12, new Counts(1, 1, 1, 2, 3, 4, 5)));
    }

    @Test
    void a_step_that_stays_at_its_position_is_a_step() {
        store.cursors().advance(step(Cursor.START, AT_TWO));
        Cursor freed = AT_TWO.next(2, new Counts(1, 0, 0, 0, -1, 0, 0));
        store.cursors().advance(step(AT_TWO, freed));
        assertThat(cursor()).isEqualTo(freed);
        assertThatThrownBy(() -> store.cursors().advance(step(AT_TWO, AT_TWO.next(3, TWO))))
                .isInstanceOf(ForgottenException.class);
    }

    @Test
    void as_many_steps_to_another_position_are_not_the_same() {
        store.cursors().advance(step(Cursor.START, AT_TWO));
        Cursor elsewhere = new Cursor(AT_TWO.step(), 3, TWO);
        assertThatThrownBy(() -> store.cursors().advance(step(elsewhere, elsewhere.next(4, TWO))))
                .isInstanceOf(ForgottenException.class);
        assertThat(cursor()).isEqualTo(AT_TWO);
    }

    @Test
    void a_hundred_steps_leave_one_head() {
        Cursor at = Cursor.START;
        for (int i = 0; i < 100; i++) {
            Cursor next = at.next(at.position() + 1, new Counts(1, 0, 0, 0, 0, 0, 0));
            store.cursors().advance(step(at, next));
            at = next;
        }
        assertThat(cursor()).isEqualTo(new Cursor(100, 100, new Counts(100, 0, 0, 0, 0, 0, 0)));
    }

    @Test
    void every_child_and_partition_has_a_cursor_of_its_own() {
        store.cursors().advance(step(Cursor.START, AT_TWO));
        assertThat(store.cursors().cursor(child("search"), 1)).isEqualTo(Cursor.START);
        assertThat(store.cursors().cursor(child("table"), 0)).isEqualTo(Cursor.START);
    }

    @Test
    void a_step_from_elsewhere_than_the_head_writes_nothing() {
        store.cursors().advance(step(Cursor.START, AT_TWO));
        Advance behind = gating(0, 3, Map.of(1L, 9L), Map.of());
        Advance ahead = gating(3, 4, Map.of(1L, 9L), Map.of());
        assertThatThrownBy(() -> store.cursors().advance(behind)).isInstanceOf(ForgottenException.class);
        assertThatThrownBy(() -> store.cursors().advance(ahead)).isInstanceOf(ForgottenException.class);
        assertThat(cursor()).isEqualTo(AT_TWO);
        assertThat(gates(1L)).isEmpty();
    }

    @Test
    void a_stale_lease_writes_nothing() {
        Advance stale = gating(0, 2, Map.of(1L, 9L), Map.of());
        lease = takeOver(lease);
        assertThatThrownBy(() -> store.cursors().advance(stale)).isInstanceOf(FencedException.class);
        assertThat(cursor().position()).isZero();
        assertThat(gates(1L)).isEmpty();
        store.cursors().advance(step(Cursor.START, AT_TWO));
        assertThat(cursor().position()).isEqualTo(2);
    }

    @Test
    void of_steps_that_come_together_a_refused_one_takes_no_other_with_it() throws Exception {
        Lease stale = take("child/search/1");
        takeOver(stale);
        List<Future<Integer>> all = List.of(
                walk(lease, child("search"), 0, step -> step),
                walk(stale, child("search"), 1, step -> step),
                walk(take("child/table/0"), child("table"), 0, step -> step + 7),
                walk(take("child/table/1"), child("table"), 1, step -> step));
        List<Integer> written = new ArrayList<>();
        for (Future<Integer> walk : all) {
            written.add(walk.get(60, TimeUnit.SECONDS));
        }
        assertThat(written).containsExactly(STEPS, 0, 0, STEPS);
        assertThat(cursor().position()).isEqualTo(STEPS);
        assertThat(store.cursors().cursor(child("search"), 1)).isEqualTo(Cursor.START);
        assertThat(store.cursors().cursor(child("table"), 0)).isEqualTo(Cursor.START);
        assertThat(store.cursors().cursor(child("table"), 1).position()).isEqualTo(STEPS);
        assertThat(gates(1L)).containsExactly(Map.entry(1L, (long) STEPS));
        assertThat(store.cursors().gates(child("table"), List.of(1L)))
                .containsExactly(Map.entry(1L, new Gate(STEPS, false)));
    }

    /** Takes steps one after another, each beginning where {@code from} says; returns how many were written. */
    private Future<Integer> walk(Lease owned, Layout.Attachment child, int partition, LongUnaryOperator from) {
        return inBackground(() -> {
            int written = 0;
            for (long n = 0; n < STEPS; n++) {
                Cursor stands = new Cursor(from.applyAsLong(n), from.applyAsLong(n), new Counts(n, 0, 0, 0, 0, 0, 0));
                Cursor behind = stands.next(stands.position() + 1, new Counts(1, 0, 0, 0, 0, 0, 0));
                Map<Long, Long> passed = n == 0 ? Map.of() : Map.of(1L, n);
                Advance step = new Advance(
                        owned,
                        child,
                        partition,
                        stands,
                        behind,
                        Map.of(1L, n + 1),
                        passed,
                        Parking.NONE,
                        List.of(),
                        Optional.empty());
                try {
                    store.cursors().advance(step);
                    written++;
                } catch (FencedException | ForgottenException refused) {
                    // counted as not written
                }
            }
            return written;
        });
    }

    @Test
    void another_epoch_writes_nothing() {
        Layout.Attachment over = ofAnotherEpoch(child("search"));
        Advance step = new Advance(
                lease,
                over,
                0,
                Cursor.START,
                AT_TWO,
                Map.of(1L, 9L),
                Map.of(),
                Parking.NONE,
                List.of(),
                Optional.empty());
        assertThatThrownBy(() -> store.cursors().advance(step)).isInstanceOf(FencedException.class);
        assertThat(cursor().position()).isZero();
        assertThat(gates(1L)).isEmpty();
    }

    @Test
    void a_step_over_what_the_log_holds_is_written() throws Exception {
        LogRecord last = published("a", "b").get(1);
        store.cursors().advance(upTo(last));
        assertThat(cursor().position()).isEqualTo(2);
    }

    @Test
    void a_step_over_another_event_than_the_log_holds_there_writes_nothing() throws Exception {
        List<LogRecord> records = published("a", "b");
        LogRecord last = records.get(1);
        LogRecord other = new LogRecord(
                1,
                last.committedAt(),
                last.entityNo(),
                last.size(),
                records.get(0).event());
        assertThatThrownBy(() -> store.cursors().advance(upTo(other))).isInstanceOf(ForgottenException.class);
        assertThat(cursor().position()).isZero();
        assertThat(gates(1L)).isEmpty();
    }

    @Test
    void a_step_over_an_event_that_was_published_again_since_writes_nothing() throws Exception {
        LogRecord last = published("a", "b").get(1);
        LogRecord lost =
                new LogRecord(1, last.committedAt().minusNanos(1_000), last.entityNo(), last.size(), last.event());
        assertThatThrownBy(() -> store.cursors().advance(upTo(lost))).isInstanceOf(ForgottenException.class);
        assertThat(cursor().position()).isZero();
    }

    @Test
    void a_step_over_records_that_the_log_has_lost_writes_nothing() throws Exception {
        LogRecord last = published("a", "b").get(1);
        LogRecord gone = new LogRecord(2, last.committedAt(), last.entityNo(), last.size(), last.event());
        assertThatThrownBy(() -> store.cursors().advance(upTo(gone))).isInstanceOf(ForgottenException.class);
        assertThat(cursor().position()).isZero();
    }

    private List<LogRecord> published(String... ids) throws Exception {
        for (String id : ids) {
            appended(Given.to(id).event(route(assets(0))));
        }
        placed(new Look(takeLane()));
        return read(assets(0));
    }

    private Advance upTo(LogRecord last) {
        long to = last.position() + 1;
        Cursor behind = new Cursor(1, to, TWO);
        return new Advance(
                lease,
                child("search"),
                0,
                Cursor.START,
                behind,
                Map.of(1L, 9L),
                Map.of(),
                Parking.NONE,
                List.of(),
                Optional.of(last));
    }

    @Test
    void gates_are_told_for_entities_that_have_one() {
        store.cursors().advance(gating(0, 2, Map.of(1L, 4L, 2L, 7L, 3L, 1L), Map.of()));
        assertThat(gates(1L, 2L, 99L)).isEqualTo(Map.of(1L, 4L, 2L, 7L));
        assertThat(gates()).isEmpty();
    }

    @Test
    void the_highest_version_counts() {
        store.cursors().advance(gating(0, 1, Map.of(1L, 4L), Map.of()));
        store.cursors().advance(gating(1, 2, Map.of(1L, 9L), Map.of(1L, 4L)));
        assertThat(gates(1L)).isEqualTo(Map.of(1L, 9L));
        store.cursors().advance(gating(2, 3, Map.of(1L, 10L), Map.of()));
        assertThat(gates(1L)).isEqualTo(Map.of(1L, 10L));
        store.cursors().advance(gating(3, 4, Map.of(1L, 8L), Map.of()));
        assertThat(gates(1L)).isEqualTo(Map.of(1L, 10L));
    }

    @Test
    void passed_versions_that_are_not_there_do_no_harm() {
        store.cursors().advance(gating(0, 1, Map.of(1L, 4L), Map.of(1L, 3L, 2L, 5L)));
        assertThat(gates(1L, 2L)).isEqualTo(Map.of(1L, 4L));
    }

    @Test
    void every_child_has_gates_of_its_own() {
        store.cursors().advance(gating(0, 1, Map.of(1L, 4L), Map.of()));
        assertThat(store.cursors().gates(child("table"), List.of(1L))).isEmpty();
    }

    @Test
    void what_a_child_has_applied_of_an_entity_is_told_by_its_name() throws Exception {
        appended(Given.to("a").event(route(assets(0))), Given.to("b").event(route(assets(0))));
        placed(new Look(takeLane()));
        long no = read(assets(0)).get(0).entityNo();
        assertThat(store.cursors().gate(child("search"), Given.asset("a"))).isEqualTo(Gate.OPEN);
        store.cursors().advance(gating(0, 1, Map.of(no, 1L), Map.of()));
        assertThat(store.cursors().gate(child("search"), Given.asset("a"))).isEqualTo(new Gate(1, false));
        assertThat(store.cursors().gate(child("search"), Given.asset("b"))).isEqualTo(Gate.OPEN);
        assertThat(store.cursors().gate(child("search"), Given.asset("none"))).isEqualTo(Gate.OPEN);
        assertThat(store.cursors().gate(child("table"), Given.asset("a"))).isEqualTo(Gate.OPEN);
    }

    @Test
    void another_node_reads_what_this_one_wrote() throws Exception {
        store.cursors().advance(gating(0, 2, Map.of(1L, 4L), Map.of()));
        var other = anotherNode().cursors();
        assertThat(other.cursor(child("search"), 0)).isEqualTo(AT_TWO);
        assertThat(other.gates(child("search"), List.of(1L))).isEqualTo(Map.of(1L, new Gate(4, false)));
    }

    private Cursor cursor() {
        return store.cursors().cursor(child("search"), 0);
    }

    private Map<Long, Long> gates(Long... entities) {
        Map<Long, Long> versions = new HashMap<>();
        store.cursors()
                .gates(child("search"), List.of(entities))
                .forEach((no, gate) -> versions.put(no, gate.version()));
        return versions;
    }

    private Advance step(Cursor from, Cursor to) {
        return new Advance(
                lease, child("search"), 0, from, to, Map.of(), Map.of(), Parking.NONE, List.of(), Optional.empty());
    }

    /** As if each step moved by one. */
    private Advance gating(long from, long to, Map<Long, Long> gates, Map<Long, Long> passed) {
        Cursor stands = new Cursor(from, from, TWO);
        Cursor behind = new Cursor(from + 1, to, TWO);
        return new Advance(
                lease, child("search"), 0, stands, behind, gates, passed, Parking.NONE, List.of(), Optional.empty());
    }
}
