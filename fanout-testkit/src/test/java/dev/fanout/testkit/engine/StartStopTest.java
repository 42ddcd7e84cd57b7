// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fanout.Append;
import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.Fanout;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import dev.fanout.Settings;
import dev.fanout.spi.Leases.Held;
import dev.fanout.spi.Leases.Survey;
import dev.fanout.testkit.memory.MemoryDatabase;
import dev.fanout.testkit.memory.MemoryStore;
import dev.fanout.testkit.memory.MemoryTransaction;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Starting and stopping are boring. */
@Timeout(120)
class StartStopTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final MemoryDatabase database = MemoryDatabase.create();
    private final Deliveries search = new Deliveries();

    @Test
    void closing_before_starting_and_twice_changes_nothing() {
        Fanout<MemoryTransaction> fanout = build(search);

        assertThat(fanout.close(LONG)).isTrue();
        assertThat(fanout.close(LONG)).isTrue();
        fanout.close();
        assertNothingIsLeft();
    }

    @Test
    void starting_twice_starts_once() {
        Fanout<MemoryTransaction> fanout = build(search);
        fanout.start();
        fanout.start();

        await().atMost(LONG).until(() -> survey().nodes().size() == 1);
        fanout.close();
        assertNothingIsLeft();
    }

    @Test
    void a_closed_engine_does_not_start_again() {
        Fanout<MemoryTransaction> fanout = build(search);
        fanout.close();

        assertThatThrownBy(fanout::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("build another");
    }

    @Test
    void closing_at_once_after_starting_leaves_nothing() {
        for (int i = 0; i < 20; i++) {
            Fanout<MemoryTransaction> fanout = build(search);
            fanout.start();
            assertThat(fanout.close(LONG)).isTrue();
        }
        assertNothingIsLeft();
    }

    @Test
    void two_hundred_concurrent_cycles_with_appends_leave_nothing_and_lose_nothing() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(8);
        List<Future<?>> cycles = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String id = "e" + i % 10;
            cycles.add(pool.submit(() -> cycle(id)));
        }
        for (Future<?> cycle : cycles) {
            cycle.get(100, TimeUnit.SECONDS);
        }
        pool.shutdown();
        assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertNothingIsLeft();

        Fanout<MemoryTransaction> last = build(search);
        last.start();
        await().atMost(LONG).until(() -> last.status().isDrained());
        last.close();
        assertThat(search.count()).isGreaterThanOrEqualTo(200);
        assertNothingIsLeft();
    }

    private Void cycle(String id) throws Exception {
        try (Fanout<MemoryTransaction> fanout = build(search)) {
            fanout.start();
            fanout.inTransaction(tx -> fanout.append(tx, Append.to("asset", id).event("changed", null)));
        }
        return null;
    }

    @Test
    void closing_waits_for_the_handler_that_runs() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Fanout<MemoryTransaction> fanout = build(event -> {
            inside.countDown();
            go.await();
            return search.apply(event);
        });
        fanout.start();
        fanout.inTransaction(tx -> fanout.append(tx, Append.to("asset", "1").event("made", null)));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();

        Thread release = new Thread(go::countDown);
        release.start();
        assertThat(fanout.close(LONG)).isTrue();

        release.join();
        assertThat(search.count()).isEqualTo(1);
        assertNothingIsLeft();
    }

    @Test
    void a_handler_that_does_not_end_is_interrupted_and_its_event_comes_again_once_its_lease_is_over()
            throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Fanout<MemoryTransaction> stuck = build(event -> {
            inside.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException end) {
                interrupted.countDown();
                throw end;
            }
            return Outcome.applied();
        });
        stuck.start();
        stuck.inTransaction(tx -> stuck.append(tx, Append.to("asset", "1").event("made", null)));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();

        assertThat(stuck.close(Duration.ofMillis(100))).isFalse();

        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(survey().nodes())
                .as("it did not leave: its handler may still have acted")
                .hasSize(1);
        Fanout<MemoryTransaction> next = build(search);
        next.start();
        await().atMost(LONG).until(() -> search.count() == 1);
        next.close();
        await().atMost(LONG).untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void a_second_close_waits_for_the_first_within_its_own_time() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Fanout<MemoryTransaction> fanout = build(event -> {
            inside.countDown();
            go.await();
            return search.apply(event);
        });
        fanout.start();
        fanout.inTransaction(tx -> fanout.append(tx, Append.to("asset", "1").event("made", null)));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(() -> fanout.close(LONG));
        await().atMost(LONG).until(() -> refusesToStart(fanout));

        assertThat(fanout.close(Duration.ofMillis(50))).isFalse();
        CompletableFuture<Boolean> patient = CompletableFuture.supplyAsync(() -> fanout.close(LONG));
        go.countDown();

        assertThat(first.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(patient.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(search.count()).isEqualTo(1);
        assertNothingIsLeft();
    }

    private static boolean refusesToStart(Fanout<MemoryTransaction> fanout) {
        try {
            fanout.start();
            return false;
        } catch (IllegalStateException closing) {
            return true;
        }
    }

    @Test
    void a_close_that_is_refused_closes_nothing_and_any_timeout_will_do() throws Exception {
        for (Duration timeout : List.of(
                ChronoUnit.FOREVER.getDuration(), Duration.ofDays(200_000), Duration.ZERO, Duration.ofSeconds(-1))) {
            Fanout<MemoryTransaction> fanout = build(search);
            fanout.start();
            assertThatNullPointerException().isThrownBy(() -> fanout.close(null));
            int before = search.count();
            Appended one = fanout.inTransaction(
                    tx -> fanout.append(tx, Append.to("asset", "1").event("made", null)));
            assertThat(fanout.awaitApplied("search", one, ChronoUnit.FOREVER.getDuration()))
                    .isEqualTo(Applied.APPLIED);
            assertThat(search.count()).isEqualTo(before + 1);

            fanout.close(timeout);

            await().atMost(LONG).untilAsserted(() -> assertThat(threads()).isEmpty());
        }
    }

    private Fanout<MemoryTransaction> build(Projection projection) {
        return Fanout.builder(database.connect()).stream(
                        "assets", s -> s.entities("asset").partitions(3))
                .child("search", c -> c.of("assets").projection(projection))
                .settings(Settings.defaults()
                        .heartbeatInterval(Duration.ofMillis(300))
                        .leaseLength(Duration.ofSeconds(2))
                        .reconcileInterval(Duration.ofMillis(100)))
                .build();
    }

    private void assertNothingIsLeft() {
        assertThat(threads()).isEmpty();
        assertThat(survey().nodes()).isEmpty();
        assertThat(survey().leases()).allMatch(lease -> lease.node().isEmpty());
        assertThat(survey().leases()).extracting(Held::resource).doesNotHaveDuplicates();
    }

    private Survey survey() {
        MemoryStore observer = database.connect();
        try {
            return observer.leases().survey();
        } finally {
            observer.close();
        }
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("fanout-memory"))
                .toList();
    }
}
