// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.Append;
import dev.fanout.AppendRefusedException;
import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.Filter;
import dev.fanout.Settings;
import dev.fanout.Status;
import dev.fanout.StreamSpec.Partitioner;
import dev.fanout.testkit.VirtualPlatform;
import dev.fanout.testkit.memory.MemoryDatabase;
import dev.fanout.testkit.memory.MemoryTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Streams that hang on streams: assets -> retries -> archive, each with partitions of its own. */
class ChildStreamTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final MemoryDatabase database = MemoryDatabase.create();
    private final VirtualPlatform time = VirtualPlatform.seeded(42);
    private final Deliveries search = new Deliveries();
    private final Deliveries retried = new Deliveries();
    private final Deliveries archived = new Deliveries();

    @Test
    void every_event_comes_once_and_unchanged_at_any_depth_and_in_order_for_each_entity() {
        Fanout<MemoryTransaction> fanout = started(tree());
        for (int i = 0; i < 300; i++) {
            append(fanout, "e" + i % 23);
        }
        time.pass(Duration.ofSeconds(5));

        search.assertDenseAndOnce();
        retried.assertDenseAndOnce();
        archived.assertDenseAndOnce();
        assertThat(byId(retried)).isEqualTo(byId(search)).hasSize(300);
        assertThat(byId(archived)).isEqualTo(byId(search));
        assertThat(fanout.status().isDrained()).isTrue();
    }

    @Test
    void what_is_published_on_is_relayed_at_once_and_not_by_the_poll() {
        Fanout<MemoryTransaction> fanout =
                started(tree().settings(Settings.defaults().pollInterval(HOUR)));
        time.pass(Duration.ofSeconds(10));

        append(fanout, "e1");

        assertThat(time.passUntil(() -> archived.count() == 1, HOUR)).isLessThan(Duration.ofMillis(50));
    }

    @Test
    void a_relay_at_rest_on_another_node_is_woken_for_it() {
        Settings noPoll = Settings.defaults().pollInterval(HOUR);
        Fanout<MemoryTransaction> one = on(time, noPoll);
        Fanout<MemoryTransaction> other = on(time.another(), noPoll);
        one.start();
        other.start();
        time.pass(Duration.ofSeconds(20));
        int before = archived.count();

        for (int i = 0; i < 20; i++) {
            append(i % 2 == 0 ? one : other, "e" + i);
            int wanted = before + i + 1;
            assertThat(time.passUntil(() -> archived.count() == wanted, HOUR)).isLessThan(Duration.ofMillis(100));
            time.pass(Duration.ofSeconds(5));
        }
        archived.assertDenseAndOnce();
    }

    @Test
    void a_stream_by_tenant_keeps_all_of_a_tenant_in_one_partition() {
        Fanout<MemoryTransaction> fanout = started(tree());
        for (int i = 0; i < 60; i++) {
            append(fanout, new EntityRef("t" + i % 3, "asset", "e" + i));
        }
        time.pass(Duration.ofSeconds(5));

        List<Status.Child> partitions = fanout.status().children().stream()
                .filter(child -> child.child().equals("archive-table"))
                .toList();
        assertThat(partitions).extracting(Status.Child::head).allMatch(head -> head % 20 == 0);
        assertThat(partitions.stream().mapToLong(Status.Child::head).sum()).isEqualTo(60);
    }

    @Test
    void a_filter_on_the_way_keeps_events_out_of_all_that_is_behind_it_and_waiting_says_so() {
        Fanout<MemoryTransaction> fanout = started(
                Fanout.builder(database.connect(time)).stream(
                                "assets", s -> s.entities("asset").partitions(2))
                        .stream("retries", s -> s.partitions(3))
                        .child("search", c -> c.of("assets").projection(search))
                        .child("to-retries", c -> c.of("assets").filter(Filter.type("asset.*")).stream("retries"))
                        .child("retry-table", c -> c.of("retries").projection(retried)));
        Appended kept = append(fanout, Append.to("asset", "1").event("asset.made", 1));
        Appended out = append(fanout, Append.to("asset", "1").event("order.made", 1));
        time.pass(Duration.ofSeconds(2));

        assertThat(retried.types()).containsExactly("asset.made");
        assertThat(fanout.awaitApplied("retry-table", kept, Duration.ZERO)).isEqualTo(Applied.APPLIED);
        assertThat(fanout.awaitApplied("retry-table", out, Duration.ZERO)).isEqualTo(Applied.FILTERED);
        assertThat(fanout.awaitApplied("search", out, Duration.ZERO)).isEqualTo(Applied.APPLIED);
        assertThat(fanout.status().isDrained()).isTrue();
    }

    @Test
    void waiting_for_a_child_of_a_child_stream_ends_when_it_has_applied_the_event() {
        Fanout<MemoryTransaction> fanout = started(tree());
        Appended made = append(fanout, Append.to("asset", "1").event("asset.made", 1));

        assertThat(fanout.awaitApplied("archive-table", made, Duration.ZERO)).isEqualTo(Applied.TIMED_OUT);
        time.pass(Duration.ofSeconds(2));
        assertThat(fanout.awaitApplied("archive-table", made, Duration.ZERO)).isEqualTo(Applied.APPLIED);
    }

    @Test
    void a_stream_with_a_parent_takes_no_appends_also_where_only_the_database_knows_the_parent() {
        Fanout<MemoryTransaction> fanout = started(tree());
        assertThatThrownBy(() ->
                        append(fanout, Append.to("asset", "1").event("made", 1).publish("retries")))
                .isInstanceOf(AppendRefusedException.class)
                .hasMessageContainingAll("'retries'", "child of stream 'assets'", "publish to 'assets'");

        Fanout<MemoryTransaction> host = Fanout.builder(database.connect(time.another())).stream(
                        "retries", s -> s.partitions(3))
                .build();
        assertThatThrownBy(() ->
                        append(host, Append.to("asset", "1").event("made", 1).publish("retries")))
                .isInstanceOf(AppendRefusedException.class)
                .hasMessageContainingAll("'retries'", "child of stream 'assets'");
    }

    @Test
    void a_filter_function_that_fails_parks_the_event_and_a_requeue_publishes_it_in_order() {
        boolean[] broken = {true};
        Fanout<MemoryTransaction> fanout = started(
                Fanout.builder(database.connect(time)).stream(
                                "assets", s -> s.entities("asset").partitions(1))
                        .stream("retries", s -> s.partitions(3))
                        .filter("only-public", event -> {
                            if (broken[0] && event.entity().id().equals("bad")) {
                                throw new IllegalStateException("can't tell");
                            }
                            return !event.type().equals("asset.hidden");
                        })
                        .child("to-retries", c -> c.of("assets").filter("only-public").stream("retries"))
                        .child("retry-table", c -> c.of("retries").projection(retried)));
        Appended bad = append(
                fanout,
                Append.to("asset", "bad")
                        .event("asset.made", 1)
                        .event("asset.hidden", 2)
                        .event("asset.made", 3));
        for (int i = 0; i < 40; i++) {
            append(fanout, "good" + i % 5);
            time.pass(Duration.ofSeconds(3));
        }
        assertThat(retried.count()).isEqualTo(40);
        assertThat(fanout.awaitApplied("retry-table", bad, Duration.ZERO)).isEqualTo(Applied.PARKED);

        broken[0] = false;
        fanout.children().requeue("to-retries");
        time.pass(Duration.ofSeconds(10));

        assertThat(retried.versionsOf("bad")).containsExactly(1L, 3L);
        assertThat(fanout.status().isDrained()).isTrue();
        assertThat(fanout.status().children().stream()
                        .filter(child -> child.child().equals("to-retries"))
                        .mapToLong(Status.Child::filtered)
                        .sum())
                .isOne();
    }

    private Fanout.Builder<MemoryTransaction> tree() {
        return tree(time);
    }

    private Fanout.Builder<MemoryTransaction> tree(VirtualPlatform platform) {
        return Fanout.builder(database.connect(platform)).stream(
                        "assets", s -> s.entities("asset").partitions(2))
                .stream("retries", s -> s.partitions(3))
                .stream("archive", s -> s.partitions(4).partitioner(Partitioner.TENANT))
                .child("search", c -> c.of("assets").projection(search))
                .child("to-retries", c -> c.of("assets").stream("retries"))
                .child("retry-table", c -> c.of("retries").projection(retried))
                .child("to-archive", c -> c.of("retries").stream("archive"))
                .child("archive-table", c -> c.of("archive").projection(archived));
    }

    private Fanout<MemoryTransaction> on(VirtualPlatform platform, Settings settings) {
        return tree(platform).settings(settings).build();
    }

    private static Fanout<MemoryTransaction> started(Fanout.Builder<MemoryTransaction> builder) {
        Fanout<MemoryTransaction> fanout = builder.build();
        fanout.start();
        return fanout;
    }

    private static Set<Event> byId(Deliveries deliveries) {
        Map<Object, Event> events = deliveries.all().stream().collect(Collectors.toMap(Event::id, event -> event));
        return Set.copyOf(events.values());
    }

    private Appended append(Fanout<MemoryTransaction> fanout, String id) {
        return append(fanout, EntityRef.of("asset", id));
    }

    private Appended append(Fanout<MemoryTransaction> fanout, EntityRef entity) {
        return append(fanout, Append.to(entity).event("asset.changed", entity.id()));
    }

    private Appended append(Fanout<MemoryTransaction> fanout, Append append) {
        try (MemoryTransaction tx = database.begin()) {
            Appended appended = fanout.append(tx, append);
            tx.commit();
            return appended;
        }
    }
}
