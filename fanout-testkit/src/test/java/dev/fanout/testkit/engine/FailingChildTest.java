// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Append;
import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.ChildSpec;
import dev.fanout.CodecException;
import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.Outcome;
import dev.fanout.ParkedEntity;
import dev.fanout.Settings;
import dev.fanout.Status;
import dev.fanout.testkit.VirtualPlatform;
import dev.fanout.testkit.memory.MemoryDatabase;
import dev.fanout.testkit.memory.MemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A child that fails: what is broken, the event or the store, and what becomes of everything else. */
class FailingChildTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final MemoryDatabase database = MemoryDatabase.create();
    private final VirtualPlatform time = VirtualPlatform.seeded(42);
    private final Deliveries deliveries = new Deliveries();
    private final Heard heard = new Heard();
    private final Set<String> broken = new HashSet<>();
    private boolean down;

    private Fanout<MemoryTransaction> fanout;

    @Test
    void one_broken_event_is_set_aside_and_all_others_are_delivered_at_once() {
        start(this::plain);
        broken.add("e3");
        appendToEach(10);

        time.pass(Duration.ofMillis(500));
        assertThat(deliveries.acknowledged()).hasSize(9);

        keepAppending(60, "e5");
        assertThat(parked()).extracting(ParkedEntity::entity).containsExactly(entity("e3"));
        assertThat(parked().get(0).attempts()).isEqualTo(Settings.defaults().attempts());
        assertThat(parked().get(0).cause()).contains("e3 is broken");
        assertThat(parked().get(0).version()).isOne();
        assertDrained();
    }

    @Test
    void others_do_not_wait_for_an_entity_that_is_tried_again() {
        start(this::plain);
        broken.add("e0");
        appendToEach(2);
        time.pass(Duration.ofMillis(100));
        int before = deliveries.count();

        append("e7");
        Duration took = time.passUntil(() -> deliveries.count() == before + 1, HOUR);

        assertThat(took).isLessThan(Duration.ofMillis(50));
        assertThat(parked()).isEmpty();
    }

    @Test
    void later_events_of_a_parked_entity_queue_up_behind_it_and_come_in_order_when_it_is_requeued() {
        start(this::plain);
        park("e3");
        for (int i = 0; i < 20; i++) {
            append("e3");
        }
        time.pass(Duration.ofSeconds(1));
        assertThat(parked().get(0).waiting()).isEqualTo(21);
        assertThat(versionsOf("e3")).containsOnly(1L);

        broken.clear();
        requeue();
        time.pass(Duration.ofSeconds(2));

        assertThat(parked()).isEmpty();
        assertThat(lastVersionsOf("e3", 21)).isSorted().endsWith(21L);
        append("e3");
        time.pass(Duration.ofSeconds(1));
        assertThat(versionsOf("e3")).endsWith(22L);
        assertDrained();
    }

    @Test
    void an_entity_that_fails_again_when_requeued_is_parked_with_the_new_cause_and_without_what_succeeded() {
        start(this::plain);
        park("e3");
        for (int i = 0; i < 5; i++) {
            append("e3");
        }
        time.pass(Duration.ofSeconds(1));
        broken.clear();
        deliveries.answer(event -> event.version() < 4
                ? Outcome.applied()
                : Outcome.failed(new IllegalStateException("version " + event.version())));

        requeue();
        time.pass(Duration.ofSeconds(2));

        ParkedEntity left = parked().get(0);
        assertThat(left.version()).isEqualTo(4);
        assertThat(left.cause()).contains("version 4");
        assertThat(left.waiting()).isEqualTo(3);
        assertDrained();
    }

    @Test
    void what_is_discarded_is_counted_and_later_events_flow_again() {
        start(this::plain);
        park("e3");
        append("e3");
        time.pass(Duration.ofSeconds(1));

        fanout.children().discard("search", entity("e3"));
        time.pass(Duration.ofSeconds(2));
        broken.clear();
        append("e3");
        time.pass(Duration.ofSeconds(2));

        assertThat(parked()).isEmpty();
        assertThat(status().discarded()).isEqualTo(2);
        assertThat(versionsOf("e3")).endsWith(3L);
        assertDrained();
    }

    @ParameterizedTest
    @CsvSource({"1,60", "2,60", "50,60", "50,7200"})
    void a_store_that_is_down_parks_nothing(int entities, int seconds) {
        start(this::plain);
        append("before");
        time.pass(Duration.ofSeconds(1));
        down = true;
        appendToEach(entities);
        time.pass(Duration.ofSeconds(seconds));
        assertThat(parked()).isEmpty();

        down = false;
        time.passUntil(this::isDrained, Duration.ofMinutes(3));

        assertThat(parked()).isEmpty();
        assertThat(applied()).isEqualTo(entities + 1);
        assertDrained();
    }

    @Test
    void a_store_that_goes_down_while_much_is_delivered_parks_nothing() {
        start(this::plain);
        for (int i = 0; i < 40; i++) {
            append("e" + i % 13);
            time.pass(Duration.ofMillis(20));
            down = i > 10;
        }
        for (int i = 0; i < 200; i++) {
            append("e" + i % 13);
            time.pass(Duration.ofSeconds(1));
        }
        assertThat(parked()).isEmpty();
        down = false;
        time.passUntil(this::isDrained, Duration.ofMinutes(3));
        assertThat(parked()).isEmpty();
        assertThat(applied()).isEqualTo(240);
    }

    @Test
    void a_store_that_is_down_is_asked_ever_more_rarely_however_much_is_appended() {
        start(this::plain);
        down = true;
        for (int i = 0; i < 600; i++) {
            append("e" + i);
            time.pass(Duration.ofSeconds(1));
        }
        Set<Long> rounds = heard.news.stream()
                .filter(news -> news.startsWith("failed"))
                .map(news -> 1L * news.hashCode())
                .collect(Collectors.toSet());
        assertThat(rounds).hasSizeLessThan(30);
    }

    @Test
    void on_a_child_too_quiet_to_tell_a_broken_event_is_parked_after_a_while() {
        start(this::plain);
        broken.add("e0");
        append("e0");
        time.pass(Settings.defaults().undecidedFor().minusMinutes(1));
        assertThat(parked()).isEmpty();

        time.pass(Duration.ofMinutes(3));

        assertThat(parked()).hasSize(1);
        assertDrained();
    }

    @Test
    void an_event_that_the_projection_gives_up_is_parked_at_once() {
        start(this::plain);
        deliveries.answer(event -> Outcome.park("of no use"));
        append("e0");
        time.pass(Duration.ofMillis(100));

        assertThat(parked()).hasSize(1);
        assertThat(parked().get(0).cause()).isEqualTo("of no use");
        assertThat(deliveries.count()).isOne();
        assertDrained();
    }

    @Test
    void a_payload_that_the_codec_cannot_read_is_parked_at_once_and_the_rest_goes_on() {
        start(this::plain);
        deliveries.answer(event -> {
            if (event.entity().id().equals("e1")) {
                throw new IllegalStateException(
                        new CodecException("not a Renamed", new IllegalArgumentException("no field")));
            }
            return Outcome.applied();
        });
        appendToEach(3);
        time.pass(Duration.ofMillis(100));

        assertThat(parked()).extracting(ParkedEntity::entity).containsExactly(entity("e1"));
        assertThat(applied()).isEqualTo(2);
        assertDrained();
    }

    @Test
    void an_error_of_user_code_is_a_failure_like_any_other() {
        start(this::plain);
        deliveries.answer(event -> {
            if (event.entity().id().equals("e1")) {
                throw new StackOverflowError();
            }
            return Outcome.applied();
        });
        appendToEach(3);
        time.pass(Duration.ofMillis(100));
        assertThat(deliveries.acknowledged()).hasSize(2);
        keepAppending(60, "e2");

        assertThat(parked()).extracting(ParkedEntity::entity).containsExactly(entity("e1"));
    }

    @Test
    void a_thousand_parked_entities_do_not_hold_up_one_good_event() {
        start(this::plain);
        deliveries.answer(event -> event.entity().id().startsWith("bad") ? Outcome.park("bad") : Outcome.applied());
        for (int i = 0; i < 1_000; i++) {
            append("bad" + i);
        }
        append("good");
        time.pass(Duration.ofSeconds(1));

        assertThat(parked()).hasSize(1_000);
        assertThat(versionsOf("good")).containsExactly(1L);
        int before = deliveries.count();
        append("good");
        assertThat(time.passUntil(() -> deliveries.count() > before, HOUR)).isLessThan(Duration.ofMillis(50));
        assertDrained();
    }

    @Test
    void a_filter_that_fails_parks_the_entity_and_nothing_else() {
        start(c -> plain(c).filter("broken-for-e1"));
        appendToEach(3);
        time.pass(Duration.ofMillis(100));
        assertThat(deliveries.acknowledged()).hasSize(2);
        keepAppending(60, "e2");

        assertThat(parked()).extracting(ParkedEntity::entity).containsExactly(entity("e1"));
        assertThat(parked().get(0).cause()).contains("the filter is broken");
        assertDrained();
    }

    @Test
    void a_transactional_slab_with_one_broken_event_delivers_all_others_exactly_once() {
        start(c -> c.of("assets").fromBeginning().transactional(deliveries.inTransaction()));
        broken.add("e3");
        inOneTransaction(10);

        time.pass(Duration.ofMillis(500));

        for (int i = 0; i < 10; i++) {
            assertThat(database.row("copy of e" + i).orElse("")).isEqualTo(i == 3 ? "" : "1");
        }
        keepAppending(60, "e5");
        assertThat(parked()).extracting(ParkedEntity::entity).containsExactly(entity("e3"));
        broken.clear();
        requeue();
        time.pass(Duration.ofSeconds(2));
        assertThat(database.row("copy of e3")).contains("1");
        assertDrained();
    }

    @Test
    void what_was_good_of_an_entity_before_its_broken_event_is_kept_by_a_transactional_child() {
        start(c -> c.of("assets").fromBeginning().transactional(deliveries.inTransaction()));
        deliveries.answer(event ->
                event.entity().id().equals("e0") && event.version() == 3 ? Outcome.park("three") : Outcome.applied());
        try (MemoryTransaction tx = database.begin()) {
            for (int i = 0; i < 5; i++) {
                fanout.append(tx, Append.to("asset", "e0").event("changed", null));
            }
            fanout.append(tx, Append.to("asset", "e1").event("changed", null));
            tx.commit();
        }
        time.pass(Duration.ofSeconds(1));

        assertThat(database.row("copy of e0")).contains("12");
        assertThat(database.row("copy of e1")).contains("1");
        assertThat(parked().get(0).version()).isEqualTo(3);
        assertThat(parked().get(0).waiting()).isEqualTo(3);
        assertDrained();
    }

    @Test
    void waiting_for_a_parked_entity_is_answered_honestly() {
        start(this::plain);
        park("e3");
        Appended later = append("e3");
        time.pass(Duration.ofSeconds(1));

        assertThat(fanout.awaitApplied("search", later, Duration.ZERO)).isEqualTo(Applied.PARKED);
    }

    @Test
    void a_slow_requeue_of_all_does_not_race_with_parking() {
        start(this::plain);
        for (int i = 0; i < 30; i++) {
            broken.add("e" + i);
        }
        deliveries.answer(event -> broken.contains(event.entity().id()) ? Outcome.park("no") : Outcome.applied());
        appendToEach(40);
        time.pass(Duration.ofSeconds(1));
        Random random = new Random(5);
        for (int i = 0; i < 200; i++) {
            broken.remove("e" + random.nextInt(30));
            append("e" + random.nextInt(40));
            if (i % 20 == 0) {
                requeue();
            }
            time.pass(Duration.ofMillis(random.nextInt(300)));
        }
        broken.clear();
        requeue();
        time.pass(Duration.ofSeconds(5));

        assertThat(parked()).isEmpty();
        assertThat(applied()).isEqualTo(240);
        assertEachVersionAppliedInOrder();
        assertDrained();
    }

    @Test
    void what_was_settled_ahead_of_a_broken_event_is_neither_repeated_nor_lost_when_another_node_goes_on() {
        VirtualPlatform other = time.another();
        Fanout<MemoryTransaction> doomed = engine(other, this::plain);
        doomed.start();
        time.pass(Duration.ofSeconds(3));
        broken.add("e0");
        appendTo(doomed, "e0");
        for (int i = 1; i < 20; i++) {
            appendTo(doomed, "e" + i);
        }
        time.pass(Duration.ofMillis(500));
        assertThat(deliveries.count()).isGreaterThanOrEqualTo(20);
        other.shutdown(Duration.ZERO);
        broken.clear();

        start(this::plain);
        time.pass(Duration.ofSeconds(30));

        for (int i = 1; i < 20; i++) {
            assertThat(versionsOf("e" + i)).containsExactly(1L);
        }
        assertThat(versionsOf("e0")).endsWith(1L);
        assertDrained();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void whatever_fails_and_for_how_long_only_what_is_broken_is_parked_and_nothing_is_lost(long seed) {
        Random random = new Random(seed);
        boolean transactional = random.nextBoolean();
        start(
                transactional
                        ? c -> c.of("assets").fromBeginning().transactional(deliveries.inTransaction())
                        : this::plain);
        Map<String, Integer> appended = new HashMap<>();
        for (int i = 0; i < 300; i++) {
            int dice = random.nextInt(40);
            if (dice == 0) {
                broken.add("e" + random.nextInt(5));
            } else if (dice == 1) {
                down = true;
            } else if (dice < 6) {
                down = false;
            }
            String id = "e" + random.nextInt(20);
            append(id);
            appended.merge(id, 1, Integer::sum);
            time.pass(Duration.ofMillis(random.nextInt(2_000)));
        }
        down = false;
        for (int i = 0; i < 120; i++) {
            append("e19");
            appended.merge("e19", 1, Integer::sum);
            time.pass(Duration.ofSeconds(1));
        }
        assertThat(parked())
                .allSatisfy(one -> assertThat(broken).contains(one.entity().id()));
        broken.clear();
        requeue();
        time.passUntil(this::isDrained, HOUR);
        time.pass(Duration.ofSeconds(10));

        assertThat(parked()).isEmpty();
        assertThat(applied())
                .isEqualTo(appended.values().stream().mapToInt(n -> n).sum());
        if (!transactional) {
            assertEachVersionAppliedInOrder();
        } else {
            appended.forEach(
                    (id, count) -> assertThat(database.row("copy of " + id).orElse(""))
                            .isEqualTo(IntStream.rangeClosed(1, count)
                                    .mapToObj(String::valueOf)
                                    .collect(Collectors.joining())));
        }
        assertDrained();
    }

    private ChildSpec<MemoryTransaction> plain(ChildSpec<MemoryTransaction> child) {
        return child.of("assets").fromBeginning().projection(deliveries);
    }

    private void start(UnaryOperator<ChildSpec<MemoryTransaction>> child) {
        deliveries.answer(event -> {
            if (down) {
                return Outcome.failed(new IllegalStateException("the store is down"));
            }
            return broken.contains(event.entity().id())
                    ? Outcome.failed(new IllegalStateException(event.entity().id() + " is broken"))
                    : Outcome.applied();
        });
        fanout = engine(time, child);
        fanout.start();
        time.pass(Duration.ofSeconds(3));
    }

    private Fanout<MemoryTransaction> engine(
            VirtualPlatform platform, UnaryOperator<ChildSpec<MemoryTransaction>> child) {
        return Fanout.builder(database.connect(platform)).stream("assets", s -> s.entities("asset"))
                .child("search", child)
                .filter("broken-for-e1", FailingChildTest::passesUnlessE1)
                .listener(heard)
                .build();
    }

    private static boolean passesUnlessE1(Event event) {
        if (event.entity().id().equals("e1")) {
            throw new IllegalStateException("the filter is broken");
        }
        return true;
    }

    /** Gets an entity parked by giving it up. */
    private void park(String id) {
        broken.add(id);
        append(id);
        keepAppending(60, "other");
        assertThat(parked()).extracting(ParkedEntity::entity).containsExactly(entity(id));
    }

    private void appendToEach(int entities) {
        for (int i = 0; i < entities; i++) {
            append("e" + i);
        }
    }

    private void inOneTransaction(int entities) {
        try (MemoryTransaction tx = database.begin()) {
            for (int i = 0; i < entities; i++) {
                fanout.append(tx, Append.to("asset", "e" + i).event("changed", null));
            }
            tx.commit();
        }
    }

    private void keepAppending(int seconds, String id) {
        for (int i = 0; i < seconds; i++) {
            append(id);
            time.pass(Duration.ofSeconds(1));
        }
    }

    private Appended append(String id) {
        return appendTo(fanout, id);
    }

    private static Appended appendTo(Fanout<MemoryTransaction> to, String id) {
        try {
            return to.inTransaction(tx -> to.append(tx, Append.to("asset", id).event("changed", null)));
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void requeue() {
        fanout.children().requeue("search");
    }

    private List<ParkedEntity> parked() {
        return fanout.children().parked("search", 10_000);
    }

    private static EntityRef entity(String id) {
        return EntityRef.of("asset", id);
    }

    private long applied() {
        return status().applied();
    }

    private Status.Child status() {
        return fanout.status().children().get(0);
    }

    private boolean isDrained() {
        return fanout.status().isDrained();
    }

    /** Everything has been examined, and each record is accounted for. */
    private void assertDrained() {
        Status.Child now = status();
        assertThat(fanout.status().isDrained()).isTrue();
        assertThat(now.applied()
                        + now.gated()
                        + now.skipped()
                        + now.filtered()
                        + now.parked()
                        + now.discarded()
                        + now.lost())
                .isEqualTo(now.head());
        assertThat(now.lost()).isZero();
        assertThat(now.parked())
                .isEqualTo(parked().stream().mapToLong(ParkedEntity::waiting).sum());
    }

    private List<Long> versionsOf(String id) {
        return deliveries.versionsOf(id);
    }

    private List<Long> lastVersionsOf(String id, int count) {
        List<Long> all = versionsOf(id);
        return all.subList(all.size() - count, all.size());
    }

    /** Each attempt was at the version behind the last one acknowledged. */
    private void assertEachVersionAppliedInOrder() {
        Map<String, Long> last = new HashMap<>();
        for (Event event : new ArrayList<>(deliveries.all())) {
            long before = last.getOrDefault(event.entity().id(), 0L);
            assertThat(event.version()).isBetween(Math.max(1, before), before + 1);
            last.put(event.entity().id(), event.version());
        }
    }
}
