// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fanout.Append;
import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.ChildSpec;
import dev.fanout.Children.Child;
import dev.fanout.Children.State;
import dev.fanout.DeletionRefusedException;
import dev.fanout.EntityRef;
import dev.fanout.Fanout;
import dev.fanout.Outcome;
import dev.fanout.Settings;
import dev.fanout.StartRefusedException;
import dev.fanout.Status;
import dev.fanout.UnknownChildException;
import dev.fanout.spi.StreamPartition;
import dev.fanout.testkit.memory.MemoryDatabase;
import dev.fanout.testkit.memory.MemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Children that are attached, detached, paused and resumed while the engine runs. */
@Timeout(120)
class ComingAndGoingTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final MemoryDatabase database = MemoryDatabase.create();
    private final List<Fanout<MemoryTransaction>> engines = new ArrayList<>();
    private final Deliveries search = new Deliveries();

    @AfterEach
    void close() {
        engines.forEach(Fanout::close);
    }

    @Test
    void a_child_that_was_not_declared_at_build_is_attached_and_delivered_to() throws Exception {
        Fanout<MemoryTransaction> fanout = started(b -> b);
        applied(fanout, "early");
        Deliveries late = new Deliveries();
        Deliveries all = new Deliveries();

        assertThat(fanout.children().attach(spec("late", late))).isTrue();
        assertThat(fanout.children().attach(spec("all", all).fromBeginning())).isTrue();
        Appended next = append(fanout, "next");

        assertThat(fanout.awaitApplied("late", next, LONG)).isEqualTo(Applied.APPLIED);
        assertThat(fanout.awaitApplied("all", next, LONG)).isEqualTo(Applied.APPLIED);
        assertThat(late.types()).containsExactly("next");
        assertThat(all.types()).containsExactly("early", "next");
    }

    @Test
    void a_child_that_is_attached_again_is_replayed_nothing() throws Exception {
        Fanout<MemoryTransaction> fanout = started(b -> b);
        applied(fanout, "before");
        String epoch = listed(fanout, "search").epoch();

        assertThat(fanout.children().detach("search")).isTrue();
        Appended meanwhile = append(fanout, "meanwhile");
        await().atMost(LONG).until(() -> fanout.status().waiting() == 0);
        assertThat(fanout.children().attach("search")).isTrue();
        applied(fanout, "after");

        assertThat(meanwhile.version()).isEqualTo(2);
        assertThat(search.types()).containsExactly("before", "after");
        assertThat(listed(fanout, "search").epoch()).isNotEqualTo(epoch).hasSize(16);
    }

    @Test
    void a_child_that_is_attached_again_from_the_beginning_gets_everything_again() throws Exception {
        Fanout<MemoryTransaction> fanout = started(b -> b);
        applied(fanout, "one");
        applied(fanout, "two");

        fanout.children().detach("search");
        fanout.children().attach(spec("search", search).fromBeginning());
        applied(fanout, "three");

        assertAnewAfterTheFirstTime("one", "two", "three");
    }

    /** What the new attachment got; the owner of the old one may have delivered until it heard of its end. */
    private void assertAnewAfterTheFirstTime(String... types) {
        List<String> all = search.types();
        assertThat(all).startsWith(types[0]);
        assertThat(all.subList(all.lastIndexOf(types[0]), all.size())).containsExactly(types);
        assertThat(all.lastIndexOf(types[0])).isPositive();
    }

    @Test
    void an_owner_that_ends_its_delivery_after_the_detach_saves_nothing() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Fanout<MemoryTransaction> fanout = started(b -> b);
        applied(fanout, "one");
        search.answer(event -> {
            if (event.type().equals("two") && reached.getCount() > 0) {
                reached.countDown();
                awaitQuietly(release);
            }
            return Outcome.applied();
        });
        append(fanout, "two");
        reached.await();

        fanout.children().detach("search");
        fanout.children().attach(spec("search", search).fromBeginning());
        release.countDown();
        applied(fanout, "three");

        assertAnewAfterTheFirstTime("one", "two", "three");
        await().atMost(LONG)
                .until(() -> fanout.status().children().stream()
                                .mapToLong(Status.Child::applied)
                                .sum()
                        == 3);
    }

    @Test
    void a_child_that_stands_still_gets_nothing_and_goes_on_where_it_stood() throws Exception {
        Fanout<MemoryTransaction> fanout = started(b -> b);
        applied(fanout, "one");
        assertThat(fanout.children().pause("search")).isTrue();
        await().atMost(LONG).until(() -> isFree("child/search/0"));
        Appended two = append(fanout, "two");

        assertThat(fanout.awaitApplied("search", two, Duration.ofMillis(300))).isEqualTo(Applied.TIMED_OUT);
        assertThat(listed(fanout, "search").state()).isEqualTo(State.PAUSED);
        assertThat(fanout.children().resume("search")).isTrue();
        assertThat(fanout.awaitApplied("search", two, LONG)).isEqualTo(Applied.APPLIED);
        assertThat(search.types()).containsExactly("one", "two");
    }

    @Test
    void every_node_follows_what_one_of_them_was_told() throws Exception {
        Fanout<MemoryTransaction> a = started(b -> b);
        Fanout<MemoryTransaction> b = started(x -> x);
        applied(a, "one");
        b.children().detach("search");
        await().atMost(LONG).until(() -> isFree("child/search/0") && isFree("child/search/1"));
        append(a, "two");
        await().atMost(LONG).until(() -> a.status().waiting() == 0);
        a.children().attach("search");
        applied(b, "three");

        assertThat(search.types()).containsExactly("one", "three");
    }

    @Test
    void a_child_that_only_another_process_knows_is_shown_and_left_alone() throws Exception {
        Fanout<MemoryTransaction> a = started(b -> b);
        Deliveries other = new Deliveries();
        Fanout<MemoryTransaction> b = started(x -> x);
        b.children().attach(spec("other", other));
        Appended one = append(a, "one");

        assertThat(b.awaitApplied("other", one, LONG)).isEqualTo(Applied.APPLIED);
        assertThat(listed(a, "other").known()).isFalse();
        assertThat(listed(a, "other").state()).isEqualTo(State.ATTACHED);
        assertThat(listed(b, "other").known()).isTrue();
        assertThatThrownBy(() -> a.children().attach("other"))
                .isInstanceOfSatisfying(UnknownChildException.class, unknown -> {
                    assertThat(unknown.child()).isEqualTo("other");
                    assertThat(unknown.known()).containsExactly("search");
                });
        assertThat(a.children().detach("other")).isTrue();
        assertThat(listed(b, "other").state()).isEqualTo(State.DETACHED);
    }

    @Test
    void a_process_that_declares_a_detached_child_leaves_it_detached() throws Exception {
        Fanout<MemoryTransaction> a = started(b -> b);
        a.children().detach("search");
        Fanout<MemoryTransaction> b = started(x -> x);
        append(b, "one");
        await().atMost(LONG).until(() -> b.status().waiting() == 0);

        assertThat(listed(b, "search").state()).isEqualTo(State.DETACHED);
        assertThat(b.status().children()).isEmpty();
        assertThat(search.count()).isZero();
    }

    @Test
    void a_name_that_nobody_knows_is_refused_with_the_known_ones() {
        Fanout<MemoryTransaction> fanout = started(b -> b);
        List<Runnable> calls = List.of(
                () -> fanout.children().attach("sails"),
                () -> fanout.children().detach("sails"),
                () -> fanout.children().pause("sails"),
                () -> fanout.children().resume("sails"),
                () -> fanout.children().parked("sails"),
                () -> fanout.children().requeue("sails"),
                () -> fanout.children().requeue("sails", EntityRef.of("asset", "1")),
                () -> fanout.children().discard("sails", EntityRef.of("asset", "1")));
        for (Runnable call : calls) {
            assertThatThrownBy(call::run)
                    .isInstanceOf(UnknownChildException.class)
                    .hasMessageContainingAll("'sails'", "[search]");
        }
    }

    @Test
    void a_child_that_is_incomplete_or_of_no_stream_is_refused() {
        Fanout<MemoryTransaction> fanout = started(b -> b);

        assertThatThrownBy(() -> fanout.children()
                        .attach(ChildSpec.<MemoryTransaction>named("idle").of("assets")))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("drives nothing");
        assertThatThrownBy(() -> fanout.children()
                        .attach(ChildSpec.<MemoryTransaction>named("lost")
                                .of("nowhere")
                                .projection(search)))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("nowhere");
    }

    @Test
    void a_child_that_missed_records_is_marked_until_it_is_attached_again() throws Exception {
        Fanout<MemoryTransaction> first = started(b -> b);
        for (int i = 0; i < 5; i++) {
            applied(first, "changed");
        }
        first.close();
        StreamPartition at =
                database.connect().leases().survey().heads().keySet().iterator().next();
        database.removeRecords(at, 1, 3);
        Deliveries all = new Deliveries();
        Fanout<MemoryTransaction> fanout = started(b -> b);
        fanout.children().attach(spec("all", all).fromBeginning());

        await().atMost(LONG).until(() -> all.count() == 3);
        await().atMost(LONG).until(() -> listed(fanout, "all").needsRebuild());
        assertThat(fanout.status().children())
                .filteredOn(Status.Child::needsRebuild)
                .extracting(Status.Child::child)
                .containsOnly("all");
        assertThat(listed(fanout, "search").needsRebuild()).isFalse();
    }

    @Test
    void a_stream_is_deleted_when_nobody_needs_it_any_more() throws Exception {
        Fanout<MemoryTransaction> old = started(b -> b);
        applied(old, "one");
        assertThatThrownBy(() -> old.deleteStream("assets"))
                .isInstanceOf(DeletionRefusedException.class)
                .hasMessageContaining("declares it");
        old.close();
        Fanout<MemoryTransaction> fanout =
                keep(Fanout.builder(database.connect()).stream("orders", s -> s.entities("order"))
                        .build());
        fanout.start();

        fanout.deleteStream("assets");

        assertThat(fanout.children().list()).isEmpty();
        assertThatThrownBy(() -> fanout.deleteStream("assets"))
                .isInstanceOf(DeletionRefusedException.class)
                .hasMessageContainingAll("assets", "[orders]");
    }

    private boolean isFree(String resource) {
        return database.connect().leases().survey().leases().stream()
                .noneMatch(
                        held -> held.resource().equals(resource) && held.node().isPresent());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static ChildSpec<MemoryTransaction> spec(String name, Deliveries into) {
        return ChildSpec.<MemoryTransaction>named(name).of("assets").projection(into);
    }

    private static Child listed(Fanout<MemoryTransaction> fanout, String child) {
        return fanout.children().list().stream()
                .filter(one -> one.name().equals(child))
                .findFirst()
                .orElseThrow();
    }

    private static void applied(Fanout<MemoryTransaction> fanout, String type) throws Exception {
        assertThat(fanout.awaitApplied("search", append(fanout, type), LONG)).isEqualTo(Applied.APPLIED);
    }

    private static Appended append(Fanout<MemoryTransaction> fanout, String type) throws Exception {
        return fanout.inTransaction(
                tx -> fanout.append(tx, Append.to("asset", "1").event(type, null)));
    }

    private Fanout<MemoryTransaction> started(UnaryOperator<Fanout.Builder<MemoryTransaction>> more) {
        Fanout<MemoryTransaction> fanout = keep(more.apply(Fanout.builder(database.connect()).stream(
                                "assets", s -> s.entities("asset").partitions(2))
                        .child("search", c -> c.of("assets").projection(search))
                        .settings(Settings.defaults()
                                .retryBackoff(Duration.ofMillis(5))
                                .reconcileInterval(Duration.ofMillis(100))
                                .heartbeatInterval(Duration.ofMillis(500))))
                .build());
        fanout.start();
        return fanout;
    }

    private Fanout<MemoryTransaction> keep(Fanout<MemoryTransaction> fanout) {
        engines.add(fanout);
        return fanout;
    }
}
