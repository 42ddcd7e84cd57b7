// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Append;
import dev.fanout.Fanout;
import dev.fanout.FanoutListener.WakeSource;
import dev.fanout.Outcome;
import dev.fanout.Settings;
import dev.fanout.testkit.VirtualPlatform;
import dev.fanout.testkit.memory.MemoryDatabase;
import dev.fanout.testkit.memory.MemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the moment matters: several nodes in virtual time. */
class TimingTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final MemoryDatabase database = MemoryDatabase.create();
    private final VirtualPlatform first = VirtualPlatform.seeded(42);
    private final Settings settings = Settings.defaults();

    @Test
    void a_relay_at_rest_is_woken_by_the_append_of_another_process_and_not_by_the_poll() {
        Node runner = node(first, settings.pollInterval(HOUR));
        Node api = node(first.another(), settings);
        runner.fanout.start();
        first.pass(Duration.ofSeconds(10));

        append(api, "1");
        Duration took = first.passUntil(() -> runner.deliveries.count() == 1, HOUR);

        assertThat(took).isLessThan(Duration.ofMillis(10));
        assertThat(runner.heard.sources).containsExactly(WakeSource.NOTIFICATION);
    }

    @Test
    void every_append_of_another_process_is_seen_at_once_at_any_pace_without_the_poll() {
        Node runner = node(first, settings.pollInterval(HOUR));
        Node api = node(first.another(), settings);
        runner.fanout.start();
        first.pass(Duration.ofSeconds(10));

        for (int i = 0; i < 300; i++) {
            int expected = i + 1;
            first.pass(Duration.ofMillis(i * 7 % 310));
            append(api, "e" + i % 5);
            assertThat(first.passUntil(() -> runner.deliveries.count() == expected, HOUR))
                    .isLessThan(Duration.ofMillis(100));
        }
        runner.deliveries.assertDenseAndOnce();
    }

    @Test
    void bursts_of_any_size_leave_the_relay_able_to_hear() {
        Node runner = node(first, settings.pollInterval(HOUR));
        Node api = node(first.another(), settings);
        runner.fanout.start();
        first.pass(Duration.ofSeconds(10));

        int expected = 0;
        for (int burst : new int[] {1, 15, 16, 17, 100, 1, 16, 1}) {
            try (MemoryTransaction tx = database.begin()) {
                for (int i = 0; i < burst; i++) {
                    api.fanout.append(tx, Append.to("asset", "b" + i).event("changed", i));
                }
                tx.commit();
            }
            expected += burst;
            int wanted = expected;
            assertThat(first.passUntil(() -> runner.deliveries.count() == wanted, HOUR))
                    .isLessThan(Duration.ofMillis(100));
            append(api, "1");
            int one = ++expected;
            assertThat(first.passUntil(() -> runner.deliveries.count() == one, HOUR))
                    .isLessThan(Duration.ofMillis(100));
            first.pass(Duration.ofSeconds(10));
        }
    }

    @Test
    void a_lost_notification_costs_the_backstop_and_nothing_else() {
        Node runner = node(first, settings);
        Node api = node(first.another(), settings);
        runner.fanout.start();
        first.pass(Duration.ofSeconds(10));
        database.loseNotifications(true);

        append(api, "1");

        assertThat(first.passUntil(() -> runner.deliveries.count() == 1, HOUR))
                .isLessThanOrEqualTo(Duration.ofMillis(1_100));
        assertThat(runner.heard.sources).containsExactly(WakeSource.BACKSTOP);
    }

    @Test
    void a_child_that_fails_is_tried_again_after_growing_pauses_however_much_is_published() {
        Node runner = node(first, settings);
        List<Long> attempts = new ArrayList<>();
        runner.deliveries.answer(event -> {
            attempts.add(first.nanoTime());
            return Outcome.failed(new IllegalStateException("down"));
        });
        runner.fanout.start();
        first.pass(Duration.ofSeconds(3));
        for (int i = 0; i < 300; i++) {
            append(runner, "1");
            first.pass(Duration.ofMillis(100));
        }

        assertThat(attempts).hasSizeBetween(4, 8);
        for (int i = 1; i < attempts.size(); i++) {
            assertThat(Duration.ofNanos(attempts.get(i) - attempts.get(i - 1)))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(500L << (i - 1)));
        }
    }

    @Test
    void a_graceful_stop_hands_over_within_a_second() {
        Node a = node(first, settings);
        Node b = node(first.another(), settings);
        a.fanout.start();
        b.fanout.start();
        first.pass(Duration.ofSeconds(10));

        first.settle();
        assertThat(a.fanout.close(Duration.ofSeconds(5))).isTrue();
        append(b, "1");

        assertThat(first.passUntil(() -> b.deliveries.count() == 1, HOUR)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void a_killed_node_is_taken_over_once_its_lease_is_over() {
        Node a = node(first.another(), settings);
        Node b = node(first, settings);
        a.fanout.start();
        first.pass(Duration.ofSeconds(5));
        b.fanout.start();
        first.pass(Duration.ofSeconds(10));
        a.platform.shutdown(Duration.ZERO);
        for (int i = 0; i < 20; i++) {
            append(b, "e" + i);
        }

        Duration took = first.passUntil(() -> b.deliveries.count() + a.deliveries.count() == 20, HOUR);

        assertThat(took).isBetween(Duration.ofSeconds(7), Duration.ofSeconds(14));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void a_process_stopped_beyond_its_lease_does_nothing_stale_when_it_goes_on(long seed) {
        VirtualPlatform time = VirtualPlatform.seeded(seed);
        Node a = node(time, settings);
        Node b = node(time.another(), settings);
        a.fanout.start();
        b.fanout.start();
        time.pass(Duration.ofSeconds(10));
        a.platform.stop();
        for (int i = 0; i < 40; i++) {
            append(b, "e" + i % 10);
        }
        time.pass(Duration.ofSeconds(20));
        assertThat(b.deliveries.count()).isEqualTo(40);

        a.platform.resume();
        append(b, "e1");
        time.pass(Duration.ofSeconds(20));

        assertThat(a.deliveries.count() + b.deliveries.count()).isEqualTo(41);
        assertThat(b.fanout.status().isDrained()).isTrue();
    }

    @Test
    void a_lane_that_moves_to_another_node_is_still_heard_without_the_poll() {
        Node a = node(first, settings.pollInterval(HOUR));
        a.fanout.start();
        first.pass(Duration.ofSeconds(5));
        for (int joined = 0; joined < 4; joined++) {
            Node more = node(first.another(), settings.pollInterval(HOUR));
            more.fanout.start();
            nodes.add(more);
            // busy while the lane moves, so that it is held by the node that gives it up
            for (int i = 0; i < 400; i++) {
                append(a, "e" + i % 5);
                first.pass(Duration.ofMillis(10));
            }
        }
        first.pass(Duration.ofSeconds(10));
        int before = delivered(a);
        append(node(first.another(), settings), "late");

        assertThat(first.passUntil(() -> delivered(a) == before + 1, HOUR)).isLessThan(Duration.ofMillis(100));
    }

    @Test
    void the_same_seed_gives_the_same_run() {
        assertThat(run(7)).isEqualTo(run(7));
        assertThat(run(8)).isEqualTo(run(8));
    }

    private List<String> run(long seed) {
        MemoryDatabase own = MemoryDatabase.create();
        VirtualPlatform time = VirtualPlatform.seeded(seed);
        List<String> trace = new ArrayList<>();
        List<Node> both = List.of(node(own, time, settings), node(own, time.another(), settings));
        for (Node one : both) {
            one.deliveries.answer(event -> {
                trace.add(both.indexOf(one) + " " + event.entity() + " " + event.version() + " " + time.nanoTime());
                return trace.size() % 11 == 0 ? Outcome.retry(Duration.ofMillis(3)) : Outcome.applied();
            });
            one.fanout.start();
        }
        for (int i = 0; i < 100; i++) {
            append(both.get(i % 2), "e" + i % 9);
            time.pass(Duration.ofMillis(i * 13 % 40));
        }
        time.pass(Duration.ofSeconds(5));
        assertThat(trace).hasSizeGreaterThanOrEqualTo(100);
        return trace;
    }

    private final List<Node> nodes = new ArrayList<>();

    private int delivered(Node a) {
        return a.deliveries.count()
                + nodes.stream().mapToInt(node -> node.deliveries.count()).sum();
    }

    private record Node(
            VirtualPlatform platform, Fanout<MemoryTransaction> fanout, Deliveries deliveries, Heard heard) {}

    private Node node(VirtualPlatform platform, Settings numbers) {
        return node(database, platform, numbers);
    }

    private static Node node(MemoryDatabase database, VirtualPlatform platform, Settings numbers) {
        Deliveries deliveries = new Deliveries();
        Heard heard = new Heard();
        Fanout<MemoryTransaction> fanout = Fanout.builder(database.connect(platform)).stream(
                        "assets", s -> s.entities("asset").partitions(4))
                .child("search", c -> c.of("assets").projection(deliveries))
                .settings(numbers)
                .listener(heard)
                .build();
        return new Node(platform, fanout, deliveries, heard);
    }

    private static void append(Node node, String id) {
        try {
            node.fanout.inTransaction(
                    tx -> node.fanout.append(tx, Append.to("asset", id).event("changed", null)));
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
