// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.ParkedEntity;
import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Aside;
import dev.fanout.spi.Cursors.Blocked;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Cursors.Cursor;
import dev.fanout.spi.Cursors.Freed;
import dev.fanout.spi.Cursors.Gate;
import dev.fanout.spi.Cursors.Parking;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Lease;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Parked.Request;
import dev.fanout.spi.Parked.Wish;
import dev.fanout.spi.Store;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code Parked}, and what steps do to it. In the log: a v1, b v1, a v2, a v3. */
abstract class ParkedContract<T> extends Scene<T> {

    private static final String PAYLOAD = "{\"n\": 1}";

    private Lease lease;
    private Cursor at = Cursor.START;
    private List<LogRecord> records;
    private long a;
    private long b;

    @BeforeEach
    void publish() throws Exception {
        for (String id : List.of("a", "b", "a", "a")) {
            appended(Given.to(id).event(PAYLOAD, route(assets(0))));
        }
        placed(new Look(takeLane()));
        records = read(assets(0));
        a = records.get(0).entityNo();
        b = records.get(1).entityNo();
        lease = take("child/search/0");
    }

    @Test
    void an_entity_that_is_set_aside_is_told_with_its_gate_and_without() {
        step(Map.of(a, 1L), new Parking(List.of(blocked(a, 2), blocked(b, 1)), List.of(aside(2)), List.of()));
        assertThat(store.cursors().gates(child("search"), List.of(a, b, 99L)))
                .isEqualTo(Map.of(a, new Gate(1, true), b, new Gate(0, true)));
        assertThat(store.cursors().gate(child("search"), Given.asset("a"))).isEqualTo(new Gate(1, true));
        assertThat(store.cursors().gate(child("search"), Given.asset("b"))).isEqualTo(new Gate(0, true));
        assertThat(store.cursors().gates(child("table"), List.of(a, b))).isEmpty();
    }

    @Test
    void an_event_that_is_set_aside_is_kept_as_its_record_was() {
        parkAll();
        assertThat(events(a, 10, 1_000)).containsExactly(records.get(0), records.get(2), records.get(3));
        assertThat(events(b, 10, 1_000)).containsExactly(records.get(1));
        assertThat(store.parked().events(child("table"), a, 10, 1_000)).isEmpty();
    }

    @Test
    void parked_events_are_read_up_to_limits_and_the_first_in_any_case() {
        parkAll();
        long two = 2L * PAYLOAD.length();
        assertThat(events(a, 2, 1_000)).extracting(LogRecord::position).containsExactly(0L, 2L);
        assertThat(events(a, 10, two)).extracting(LogRecord::position).containsExactly(0L, 2L);
        assertThat(events(a, 10, 1)).extracting(LogRecord::position).containsExactly(0L);
    }

    @Test
    void an_event_is_kept_even_if_its_record_is_no_longer_in_the_log() {
        Aside gone = new Aside(a, 2, 1_000);
        step(Map.of(), new Parking(List.of(blocked(a, 2)), List.of(gone), List.of()));
        LogRecord kept = events(a, 10, 1_000).get(0);
        assertThat(kept.event()).isEqualTo(records.get(2).event());
        assertThat(kept.position()).isEqualTo(1_000);
    }

    @Test
    void setting_the_same_event_aside_again_changes_nothing() {
        parkAll();
        parkAll();
        assertThat(events(a, 10, 1_000)).hasSize(3);
    }

    @Test
    void another_attempt_adds_up_and_keeps_the_time_of_parking() {
        parkAll();
        ParkedEntity before = listed(0);
        Blocked again = new Blocked(a, 2, "worse", 4);
        step(Map.of(), new Parking(List.of(again), List.of(), List.of()));
        ParkedEntity after = listed(0);
        assertThat(after.attempts()).isEqualTo(before.attempts() + 4);
        assertThat(after.cause()).isEqualTo("worse");
        assertThat(after.version()).isEqualTo(2);
        assertThat(after.parkedAt()).isEqualTo(before.parkedAt());
        assertThat(after.lastTriedAt()).isAfterOrEqualTo(before.lastTriedAt());
    }

    @Test
    void what_is_parked_is_listed_longest_first_with_its_event_and_how_many_wait() {
        step(Map.of(), new Parking(List.of(blocked(b, 1)), List.of(aside(1)), List.of()));
        step(Map.of(), new Parking(List.of(blocked(a, 1)), List.of(aside(0), aside(2)), List.of()));
        List<ParkedEntity> listed = store.parked().list(child("search"), 10);
        assertThat(listed).extracting(ParkedEntity::entity).containsExactly(Given.asset("b"), Given.asset("a"));
        assertThat(listed.get(1).event()).isEqualTo(records.get(0).event().id());
        assertThat(listed.get(1).waiting()).isEqualTo(2);
        assertThat(listed.get(1).attempts()).isEqualTo(3);
        assertThat(store.parked().list(child("search"), 1)).hasSize(1);
        assertThat(store.parked().list(child("table"), 10)).isEmpty();
    }

    @Test
    void freed_events_are_gone_up_to_their_version_and_the_entity_is_parked_until_it_is_said() {
        parkAll();
        step(Map.of(a, 2L), freeing(new Freed(a, 2, false)));
        assertThat(events(a, 10, 1_000)).containsExactly(records.get(3));
        assertThat(store.cursors().gate(child("search"), Given.asset("a"))).isEqualTo(new Gate(2, true));
        step(Map.of(a, 3L), freeing(new Freed(a, Long.MAX_VALUE, true)));
        assertThat(events(a, 10, 1_000)).isEmpty();
        assertThat(store.cursors().gate(child("search"), Given.asset("a"))).isEqualTo(new Gate(3, false));
        assertThat(events(b, 10, 1_000)).hasSize(1);
        assertThat(store.cursors().gate(child("search"), Given.asset("b")).parked())
                .isTrue();
    }

    @Test
    void what_is_asked_for_one_entity_is_told_with_the_highest_version_that_was_parked() {
        parkAll();
        assertThat(requests()).isEmpty();
        assertThat(ask("a", Wish.REQUEUE)).isEqualTo(1);
        assertThat(requests()).containsExactly(new Request(a, Given.asset("a"), Wish.REQUEUE, 3));
        assertThat(store.parked().requests(child("search"), 1, 10)).isEmpty();
        assertThat(store.parked().requests(child("table"), 0, 10)).isEmpty();
    }

    @Test
    void what_is_asked_for_all_is_told_for_each() {
        parkAll();
        long asked = store.parked().request(child("search"), Optional.empty(), Wish.DISCARD);
        assertThat(asked).isEqualTo(2);
        assertThat(requests()).extracting(Request::entityNo).containsExactlyInAnyOrder(a, b);
        assertThat(store.parked().requests(child("search"), 0, 1)).hasSize(1);
    }

    @Test
    void the_oldest_request_comes_first_and_a_later_one_replaces_an_earlier() {
        parkAll();
        ask("b", Wish.REQUEUE);
        ask("a", Wish.REQUEUE);
        assertThat(requests()).extracting(Request::entityNo).containsExactly(b, a);
        ask("b", Wish.DISCARD);
        assertThat(requests())
                .containsExactly(
                        new Request(a, Given.asset("a"), Wish.REQUEUE, 3),
                        new Request(b, Given.asset("b"), Wish.DISCARD, 1));
    }

    @Test
    void nothing_can_be_asked_of_what_is_not_parked() {
        assertThat(ask("a", Wish.REQUEUE)).isZero();
        assertThat(ask("nobody", Wish.REQUEUE)).isZero();
        assertThat(store.parked().request(child("search"), Optional.empty(), Wish.REQUEUE))
                .isZero();
        assertThat(requests()).isEmpty();
    }

    @Test
    void another_attempt_answers_a_request_and_so_does_freeing() {
        parkAll();
        ask("a", Wish.REQUEUE);
        ask("b", Wish.REQUEUE);
        step(Map.of(), new Parking(List.of(blocked(a, 1)), List.of(), List.of()));
        assertThat(requests()).extracting(Request::entityNo).containsExactly(b);
        step(Map.of(b, 1L), freeing(new Freed(b, 1, true)));
        assertThat(requests()).isEmpty();
    }

    @Test
    void whoever_asks_tells_all_nodes() throws Exception {
        parkAll();
        Store<T> other = anotherNode();
        Ear here = listening(store);
        Ear there = listening(other);
        ask("a", Wish.REQUEUE);
        here.until("asked");
        there.until("asked");
        store.wakes().stop();
        other.wakes().stop();
    }

    @Test
    void any_text_is_a_cause() {
        String text = "a\0b\ud800c\udc00\ud83d\ude42" + "x".repeat(1_000_000);
        step(Map.of(), new Parking(List.of(new Blocked(a, 1, text, 1)), List.of(aside(0)), List.of()));
        assertThat(listed(0).cause()).startsWith("a\ufffdb\ufffdc\ufffd\ud83d\ude42x");
        assertThat(listed(0).cause().length()).isBetween(1_000, 10_000);
    }

    @Test
    void a_cause_is_not_cut_within_a_character() {
        String text = "x" + "\ud83d\ude42".repeat(10_000);
        step(Map.of(), new Parking(List.of(new Blocked(a, 1, text, 1)), List.of(aside(0)), List.of()));
        assertThat(listed(0).cause()).startsWith("x\ud83d\ude42");
    }

    @Test
    void a_stale_lease_sets_nothing_aside() {
        Advance stale = advance(Map.of(), new Parking(List.of(blocked(a, 1)), List.of(aside(0)), List.of()));
        takeOver(lease);
        assertThatThrownBy(() -> store.cursors().advance(stale)).isInstanceOf(FencedException.class);
        assertNothingParked();
    }

    @Test
    void a_step_from_elsewhere_sets_nothing_aside_and_frees_nothing() {
        at = new Cursor(7, 7, Counts.NONE);
        Advance elsewhere = advance(Map.of(), new Parking(List.of(blocked(a, 1)), List.of(aside(0)), List.of()));
        assertThatThrownBy(() -> store.cursors().advance(elsewhere)).isInstanceOf(ForgottenException.class);
        assertNothingParked();
    }

    private void assertNothingParked() {
        assertThat(store.cursors().gates(child("search"), List.of(a))).isEmpty();
        assertThat(events(a, 10, 1_000)).isEmpty();
        assertThat(store.parked().list(child("search"), 10)).isEmpty();
    }

    private void parkAll() {
        step(
                Map.of(),
                new Parking(
                        List.of(blocked(a, 1), blocked(b, 1)),
                        List.of(aside(3), aside(2), aside(1), aside(0)),
                        List.of()));
    }

    private static Blocked blocked(long entity, long version) {
        return new Blocked(entity, version, "no", 3);
    }

    private Aside aside(int position) {
        LogRecord record = records.get(position);
        return new Aside(record.entityNo(), record.event().version(), record.position());
    }

    private static Parking freeing(Freed freed) {
        return new Parking(List.of(), List.of(), List.of(freed));
    }

    private void step(Map<Long, Long> gates, Parking parking) {
        Advance step = advance(gates, parking);
        store.cursors().advance(step);
        at = step.to();
    }

    private Advance advance(Map<Long, Long> gates, Parking parking) {
        Cursor to = at.next(at.position() + 1, new Counts(0, 0, 0, 0, 1, 0, 0));
        return new Advance(lease, child("search"), 0, at, to, gates, Map.of(), parking, List.of(), Optional.empty());
    }

    private long ask(String id, Wish wish) {
        return store.parked().request(child("search"), Optional.of(Given.asset(id)), wish);
    }

    private List<Request> requests() {
        return store.parked().requests(child("search"), 0, 10);
    }

    private List<LogRecord> events(long entity, int limit, long bytes) {
        return store.parked().events(child("search"), entity, limit, bytes);
    }

    /** In the order of their entities' ids, since several may be parked at one moment. */
    private ParkedEntity listed(int n) {
        return store.parked().list(child("search"), 10).stream()
                .sorted((one, other) ->
                        one.entity().id().compareTo(other.entity().id()))
                .toList()
                .get(n);
    }

    private static Ear listening(Store<?> node) throws InterruptedException {
        Ear ear = new Ear();
        node.wakes().listen(ear);
        ear.until("connected");
        return ear;
    }
}
