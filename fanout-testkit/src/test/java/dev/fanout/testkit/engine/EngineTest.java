// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fanout.Append;
import dev.fanout.AppendRefusedException;
import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.FanoutListener;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import dev.fanout.Settings;
import dev.fanout.Status;
import dev.fanout.VersionConflictException;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Leases.Held;
import dev.fanout.spi.StreamPartition;
import dev.fanout.testkit.memory.MemoryDatabase;
import dev.fanout.testkit.memory.MemoryStore;
import dev.fanout.testkit.memory.MemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole engine with real threads: from append to apply. */
@Timeout(120)
class EngineTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final MemoryDatabase database = MemoryDatabase.create();
    private final List<Fanout<MemoryTransaction>> engines = new ArrayList<>();
    private final Deliveries search = new Deliveries();

    @AfterEach
    void close() {
        engines.forEach(Fanout::close);
    }

    @Test
    void an_event_reaches_every_child_of_its_streams_and_no_other() throws Exception {
        Deliveries cache = new Deliveries();
        Deliveries sales = new Deliveries();
        Fanout<MemoryTransaction> fanout = started(builder -> builder.stream("orders", s -> s.entities("order"))
                .child("cache", c -> c.of("assets").selfGated(cache))
                .child("sales", c -> c.of("orders").projection(sales)));

        Appended asset = append(fanout, Append.to("asset", "1").event("asset.made", "facts"));
        Appended order = append(fanout, Append.to("order", "1").event("order.made", "facts"));

        assertThat(fanout.awaitApplied("search", asset, LONG)).isEqualTo(Applied.APPLIED);
        assertThat(fanout.awaitApplied("cache", asset, LONG)).isEqualTo(Applied.APPLIED);
        assertThat(fanout.awaitApplied("sales", order, LONG)).isEqualTo(Applied.APPLIED);
        assertThat(search.types()).containsExactly("asset.made");
        assertThat(cache.types()).containsExactly("asset.made");
        assertThat(sales.types()).containsExactly("order.made");
    }

    @Test
    void what_was_rolled_back_reaches_nobody() throws Exception {
        Fanout<MemoryTransaction> fanout = started(builder -> builder);
        try (MemoryTransaction tx = database.begin()) {
            fanout.append(tx, Append.to("asset", "1").event("never", null));
        }
        Appended kept = append(fanout, Append.to("asset", "1").event("kept", null));

        assertThat(fanout.awaitApplied("search", kept, LONG)).isEqualTo(Applied.APPLIED);
        assertThat(search.types()).containsExactly("kept");
        assertThat(kept.version()).isEqualTo(1);
    }

    @Test
    void many_writers_and_partitions_keep_the_order_of_each_entity_and_lose_nothing() throws Exception {
        Deliveries copies = new Deliveries();
        Fanout<MemoryTransaction> fanout =
                started(builder -> builder.child("copies", c -> c.of("assets").transactional(copies.inTransaction())));
        inParallel(4, () -> {
            for (int i = 0; i < 100; i++) {
                append(fanout, Append.to("asset", "hot-" + i % 7).event("changed", i));
            }
            return null;
        });
        awaitDrained(fanout);

        assertThat(search.count()).isEqualTo(400);
        search.assertDenseAndOnce();
        copies.assertDenseAndOnce();
        assertConserved(fanout.status(), 400);
    }

    @Test
    void a_transactional_delivery_that_failed_leaves_nothing_and_comes_again_whole() throws Exception {
        Deliveries copies = new Deliveries();
        copies.answer(
                event -> copies.count() < 3 ? Outcome.failed(new IllegalStateException("not yet")) : Outcome.applied());
        Fanout<MemoryTransaction> fanout =
                started(builder -> builder.child("copies", c -> c.of("assets").transactional(copies.inTransaction())));

        Appended made =
                append(fanout, Append.to("asset", "1").event("made", null).event("renamed", null));

        assertThat(fanout.awaitApplied("copies", made, LONG)).isEqualTo(Applied.APPLIED);
        assertThat(database.row("copy of 1")).hasValue("12");
    }

    @Test
    void a_slab_answered_in_part_is_kept_up_to_there_and_the_rest_comes_again() throws Exception {
        Halves halves = new Halves();
        Fanout<MemoryTransaction> fanout =
                built(builder -> builder.child("halves", c -> c.of("assets").projection(halves)));
        for (int i = 0; i < 64; i++) {
            append(fanout, Append.to("asset", "1").event("changed", i));
        }
        fanout.start();
        awaitDrained(fanout);

        halves.applied.assertDenseAndOnce();
        assertThat(halves.applied.count()).isEqualTo(64);
        assertConserved(fanout.status(), 64);
    }

    /** Acknowledges the first half of each slab only. */
    private static final class Halves implements Projection {

        private final Deliveries applied = new Deliveries();

        @Override
        public Outcome apply(Event event) {
            return applied.apply(event);
        }

        @Override
        public List<Outcome> apply(List<Event> slab) {
            List<Outcome> outcomes = new ArrayList<>();
            slab.subList(0, (slab.size() + 1) / 2).forEach(event -> outcomes.add(apply(event)));
            return outcomes;
        }
    }

    @Test
    void skipping_is_counted_and_does_not_stop_anything() throws Exception {
        search.answer(
                event -> event.type().equals("odd") ? Outcome.skip("odd ones are not searched") : Outcome.applied());
        Fanout<MemoryTransaction> fanout = started(builder -> builder);
        Appended last =
                append(fanout, Append.to("asset", "1").event("odd", null).event("even", null));

        assertThat(fanout.awaitApplied("search", last, LONG)).isEqualTo(Applied.APPLIED);
        awaitDrained(fanout);
        assertThat(sum(fanout.status(), Status.Child::skipped)).isEqualTo(1);
        assertThat(sum(fanout.status(), Status.Child::applied)).isEqualTo(1);
    }

    @Test
    void a_child_that_fails_for_ever_delays_no_other_and_no_append() throws Exception {
        Deliveries broken = new Deliveries();
        broken.answer(event -> {
            throw new IllegalStateException("never works");
        });
        Fanout<MemoryTransaction> fanout =
                started(builder -> builder.child("broken", c -> c.of("assets").projection(broken)));
        for (int i = 0; i < 20; i++) {
            Appended one = append(fanout, Append.to("asset", "1").event("changed", i));
            assertThat(fanout.awaitApplied("search", one, LONG)).isEqualTo(Applied.APPLIED);
        }
        assertThat(search.count()).isEqualTo(20);
    }

    @Test
    void a_listener_that_throws_changes_nothing() throws Exception {
        Fanout<MemoryTransaction> fanout = started(builder -> builder.listener(new Throwing()));

        Appended one = append(fanout, Append.to("asset", "1").event("made", null));

        assertThat(fanout.awaitApplied("search", one, LONG)).isEqualTo(Applied.APPLIED);
        awaitDrained(fanout);
        search.assertDenseAndOnce();
        assertThat(search.count()).isEqualTo(1);
    }

    private static final class Throwing implements FanoutListener {

        @Override
        public void published(int lane, int events, WakeSource source) {
            throw new IllegalStateException("published");
        }

        @Override
        public void delivered(String child, int partition, long applied, long gated, long skipped, long filtered) {
            throw new AssertionError("delivered");
        }

        @Override
        public void leaseTaken(String resource, long token) {
            throw new NoClassDefFoundError("leaseTaken");
        }

        @Override
        public void lag(String child, int partition, long records) {
            throw new IllegalStateException("lag");
        }
    }

    @Test
    void a_process_that_never_starts_only_appends_and_another_one_delivers() throws Exception {
        Deliveries idle = new Deliveries();
        Fanout<MemoryTransaction> api =
                keep(base(database.connect(), idle, builder -> builder).build());
        Fanout<MemoryTransaction> runner = started(builder -> builder);

        Appended one;
        try (MemoryTransaction tx = database.begin()) {
            one = api.append(tx, Append.to("asset", "1").event("made", null));
            tx.commit();
        }

        assertThat(api.awaitApplied("search", one, LONG)).isEqualTo(Applied.APPLIED);
        assertThat(runner.awaitApplied("search", one, LONG)).isEqualTo(Applied.APPLIED);
        assertThat(idle.count()).isZero();
        assertThat(search.count()).isEqualTo(1);
    }

    @Test
    void waiting_answers_honestly() throws Exception {
        Deliveries sales = new Deliveries();
        sales.answer(event -> Outcome.retry(Duration.ofHours(1)));
        Fanout<MemoryTransaction> fanout = started(builder -> builder.stream("orders", s -> s.entities("order"))
                .child("sales", c -> c.of("orders").projection(sales)));
        Appended asset = append(fanout, Append.to("asset", "1").event("made", null));
        Appended order = append(fanout, Append.to("order", "1").event("made", null));
        Appended history =
                append(fanout, Append.to("asset", "1").event("noted", null).historyOnly());

        assertThat(fanout.awaitApplied("sales", asset, LONG)).isEqualTo(Applied.FILTERED);
        assertThat(fanout.awaitApplied("search", history, LONG)).isEqualTo(Applied.FILTERED);
        assertThat(fanout.awaitApplied("sales", order, Duration.ofMillis(50))).isEqualTo(Applied.TIMED_OUT);
        assertThat(fanout.awaitApplied("sales", order, Duration.ZERO)).isEqualTo(Applied.TIMED_OUT);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fanout.awaitApplied("sails", order, LONG))
                .withMessageContaining("'sails'")
                .withMessageContaining("[search, sales]");
    }

    @Test
    void a_wait_that_is_interrupted_ends_at_once_with_the_flag_set() throws Exception {
        search.answer(event -> Outcome.retry(Duration.ofHours(1)));
        Fanout<MemoryTransaction> fanout = started(builder -> builder);
        Appended one = append(fanout, Append.to("asset", "1").event("made", null));

        Thread.currentThread().interrupt();
        assertThat(fanout.awaitApplied("search", one, LONG)).isEqualTo(Applied.TIMED_OUT);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_refused_append_leaves_the_hosts_transaction_usable() throws Exception {
        Fanout<MemoryTransaction> fanout = started(builder -> builder);
        append(fanout, Append.to("asset", "1").event("made", null));
        try (MemoryTransaction tx = database.begin()) {
            tx.put("host", "row");
            assertThatThrownBy(() -> fanout.append(tx, Append.to("person", "1").event("made", null)))
                    .isInstanceOf(AppendRefusedException.class);
            assertThatThrownBy(() -> fanout.append(tx, Append.to("asset", "1").eventJson("made", "{")))
                    .isInstanceOf(AppendRefusedException.class);
            assertThatThrownBy(() -> fanout.append(
                            tx, Append.to("asset", "1").expecting(7).event("made", null)))
                    .isInstanceOfSatisfying(VersionConflictException.class, conflict -> {
                        assertThat(conflict.expected()).isEqualTo(7);
                        assertThat(conflict.actual()).isEqualTo(1);
                    });
            fanout.append(tx, Append.to("asset", "1").expecting(1).event("renamed", null));
            tx.commit();
        }
        assertThat(database.row("host")).hasValue("row");
        await().atMost(LONG).until(() -> search.count() == 2);
    }

    @Test
    void a_child_starts_at_the_tail_unless_it_asks_for_the_beginning() throws Exception {
        Fanout<MemoryTransaction> first = started(builder -> builder);
        Appended early = append(first, Append.to("asset", "1").event("early", null));
        assertThat(first.awaitApplied("search", early, LONG)).isEqualTo(Applied.APPLIED);
        Deliveries late = new Deliveries();
        Deliveries all = new Deliveries();
        Fanout<MemoryTransaction> second =
                started(builder -> builder.child("late", c -> c.of("assets").projection(late))
                        .child("all", c -> c.of("assets").projection(all).fromBeginning()));
        Appended next = append(first, Append.to("asset", "1").event("next", null));

        assertThat(second.awaitApplied("late", next, LONG)).isEqualTo(Applied.APPLIED);
        assertThat(second.awaitApplied("all", next, LONG)).isEqualTo(Applied.APPLIED);
        assertThat(late.types()).containsExactly("next");
        assertThat(all.types()).containsExactly("early", "next");
    }

    @Test
    void records_that_are_gone_are_counted_as_lost_and_the_rest_arrives() throws Exception {
        Fanout<MemoryTransaction> first = started(builder -> builder);
        for (int i = 0; i < 10; i++) {
            append(first, Append.to("asset", "1").event("changed", i));
        }
        awaitDrained(first);
        StreamPartition partition = partitionWithRecords(first);
        database.removeRecords(partition, 2, 5);
        Deliveries all = new Deliveries();
        Fanout<MemoryTransaction> second = started(builder ->
                builder.child("all", c -> c.of("assets").projection(all).fromBeginning()));
        awaitDrained(second);

        assertThat(all.count()).isEqualTo(7);
        assertThat(second.status().children().stream()
                        .filter(child -> child.child().equals("all"))
                        .mapToLong(Status.Child::lost)
                        .sum())
                .isEqualTo(3);
    }

    private StreamPartition partitionWithRecords(Fanout<MemoryTransaction> fanout) {
        Status.Child child = fanout.status().children().stream()
                .filter(one -> one.head() > 0)
                .findFirst()
                .orElseThrow();
        return database.connect().leases().survey().heads().keySet().stream()
                .filter(at -> at.partition() == child.partition())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_worker_whose_lease_was_taken_commits_nothing_more_and_takes_it_back_by_the_rules() throws Exception {
        Heard heard = new Heard();
        Fanout<MemoryTransaction> fanout = started(builder -> builder.listener(heard));
        Appended one = append(fanout, Append.to("asset", "1").event("made", null));
        assertThat(fanout.awaitApplied("search", one, LONG)).isEqualTo(Applied.APPLIED);
        MemoryStore thief = database.connect();
        for (Held held : thief.leases().survey().leases()) {
            Lease stolen =
                    thief.leases().take(held.resource(), held.token(), 999).orElseThrow();
            assertThat(stolen.token()).isGreaterThan(held.token());
        }

        Appended two = append(fanout, Append.to("asset", "1").event("renamed", null));

        // node 999 does not exist, so that the engine may take its leases at the next pass
        assertThat(fanout.awaitApplied("search", two, LONG)).isEqualTo(Applied.APPLIED);
        assertThat(heard.news).anyMatch(news -> news.startsWith("leaseLost lane/"));
        assertThat(search.types()).containsExactly("made", "renamed");
        thief.close();
    }

    @Test
    void two_nodes_share_the_work_and_go_on_alone_when_one_leaves() throws Exception {
        Deliveries both = new Deliveries();
        Fanout<MemoryTransaction> a =
                keep(base(database.connect(), both, builder -> builder).build());
        Fanout<MemoryTransaction> b =
                keep(base(database.connect(), both, builder -> builder).build());
        a.start();
        b.start();
        for (int i = 0; i < 200; i++) {
            append(i % 2 == 0 ? a : b, Append.to("asset", "e" + i % 20).event("changed", i));
        }
        awaitDrained(a);
        assertThat(a.close(LONG)).isTrue();
        for (int i = 0; i < 200; i++) {
            append(b, Append.to("asset", "e" + i % 20).event("changed", i));
        }
        awaitDrained(b);

        assertThat(both.count()).isEqualTo(400);
        both.assertDenseAndOnce();
        assertConserved(b.status(), 400);
    }

    private Fanout<MemoryTransaction> started(UnaryOperator<Fanout.Builder<MemoryTransaction>> more) {
        Fanout<MemoryTransaction> fanout = built(more);
        fanout.start();
        return fanout;
    }

    private Fanout<MemoryTransaction> built(UnaryOperator<Fanout.Builder<MemoryTransaction>> more) {
        return keep(base(database.connect(), search, more).build());
    }

    private Fanout<MemoryTransaction> keep(Fanout<MemoryTransaction> fanout) {
        engines.add(fanout);
        return fanout;
    }

    private static Fanout.Builder<MemoryTransaction> base(
            MemoryStore store, Projection search, UnaryOperator<Fanout.Builder<MemoryTransaction>> more) {
        return more.apply(
                Fanout.builder(store).stream("assets", s -> s.entities("asset").partitions(4))
                        .child("search", c -> c.of("assets").projection(search))
                        .settings(Settings.defaults()
                                .retryBackoff(Duration.ofMillis(5))
                                .reconcileInterval(Duration.ofMillis(100))
                                .heartbeatInterval(Duration.ofMillis(500))));
    }

    private static Appended append(Fanout<MemoryTransaction> fanout, Append append) throws Exception {
        return fanout.inTransaction(tx -> fanout.append(tx, append));
    }

    private static void awaitDrained(Fanout<MemoryTransaction> fanout) {
        await().atMost(LONG)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> fanout.status().isDrained());
    }

    private static void assertConserved(Status status, long published) {
        status.children().stream().map(Status.Child::child).distinct().forEach(child -> {
            List<Status.Child> partitions = status.children().stream()
                    .filter(one -> one.child().equals(child))
                    .toList();
            assertThat(partitions.stream().mapToLong(Status.Child::head).sum()).isEqualTo(published);
            assertThat(partitions)
                    .allSatisfy(
                            one -> assertThat(one.applied() + one.gated() + one.skipped() + one.lost() + one.pending())
                                    .isEqualTo(one.head()));
        });
    }

    private static long sum(Status status, ToLongFunction<Status.Child> count) {
        return status.children().stream().mapToLong(count).sum();
    }

    private static void inParallel(int threads, Callable<Void> work) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CountDownLatch together = new CountDownLatch(threads);
            List<Future<Void>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(pool.submit(() -> {
                    together.countDown();
                    together.await();
                    return work.call();
                }));
            }
            for (Future<Void> one : all) {
                one.get(60, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
    }
}
