// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.children;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.postgres.tests.kit.Accounts;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Children that take several entities at once, and children that need the newest event only. */
@FanoutTest
class ThroughputTest {

    private final TestDatabase database;
    private final Unruly table = new Unruly();

    ThroughputTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void fresh() {
        database.execute("drop schema if exists fanout cascade");
    }

    @Test
    void calls_at_once_keep_the_order_of_each_entity_under_load_and_failures() {
        Set<String> within = ConcurrentHashMap.newKeySet();
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        table.behaves(event -> {
            String id = event.entity().id();
            if (!within.add(id)) {
                overlaps.incrementAndGet();
            }
            atOnce.accumulateAndGet(calls.incrementAndGet(), Math::max);
            try {
                LockSupport.parkNanos(500_000); // so that calls meet
                if (id.equals("never")) {
                    return Outcome.park("never");
                }
                return ThreadLocalRandom.current().nextInt(50) == 0
                        ? Outcome.failed(new IllegalStateException("now and then"))
                        : Outcome.applied();
            } finally {
                calls.decrementAndGet();
                within.remove(id);
            }
        });
        try (Yard yard = Yard.with(
                database,
                2,
                Yard.HASTY.attempts(1_000),
                child -> child.projection(table).concurrency(8))) {
            for (int round = 0; round < 40; round++) {
                yard.append(IntStream.range(0, 50).mapToObj(i -> "e" + i % 25).toList());
                yard.append("never");
                Accounts.assertConserved(database);
            }
            yard.awaitDrained();
            assertThat(yard.parkedIds()).containsExactly("never");
            assertThat(yard.status().parked()
                            + yard.fanout.status().children().get(1).parked())
                    .isEqualTo(40);
        }
        assertThat(table.count()).isEqualTo(2_000);
        assertThat(overlaps).as("calls for one entity at once").hasValue(0);
        assertThat(atOnce).hasValueGreaterThan(2);
        table.assertTakenOnceInOrder();
    }

    @Test
    void as_many_calls_run_at_once_as_were_asked_for() {
        CountDownLatch all = new CountDownLatch(16);
        table.behaves(event -> {
            all.countDown();
            all.await();
            return Outcome.applied();
        });
        try (Yard yard = Yard.with(database, child -> child.projection(table).concurrency(16))) {
            yard.append(IntStream.range(0, 16).mapToObj(i -> "e" + i).toList());
            yard.awaitDrained();
        }
        assertThat(table.count()).isEqualTo(16);
    }

    @Test
    void latest_only_skips_what_is_superseded_and_never_the_newest() {
        try (Yard yard = Yard.with(database, child -> child.projection(table).latestOnly())) {
            for (int round = 0; round < 30; round++) {
                yard.append(IntStream.range(0, 40).mapToObj(i -> "e" + i % 8).toList());
            }
            yard.awaitDrained();
            assertThat(yard.status().applied()).isEqualTo(table.count());
            assertThat(yard.status().gated()).isEqualTo(30 * 40 - table.count()).isPositive();
        }
        Map<String, List<Event>> byAsset = table.taken().stream()
                .collect(Collectors.groupingBy(event -> event.entity().id()));
        assertThat(byAsset)
                .hasSize(8)
                .allSatisfy((asset, events) -> assertThat(events)
                        .extracting(Event::version)
                        .isSorted()
                        .doesNotHaveDuplicates()
                        .endsWith(150L));
    }

    @Test
    void what_a_broken_newest_event_superseded_waits_with_it_and_only_the_newest_comes() {
        try (Yard yard = Yard.with(database, child -> child.projection(table).latestOnly())) {
            table.breaks("bad");
            yard.append(List.of("bad", "bad", "bad", "other"));
            yard.parkWhileOthersSucceed("bad");
            yard.awaitDrained();
            assertThat(yard.status().parked()).isEqualTo(4);

            table.heals();
            yard.requeue();
            yard.awaitParked(List::isEmpty);
            await().atMost(Engines.PATIENCE).until(() -> table.versions("bad").contains(4L));
            yard.awaitDrained();
            assertThat(table.versions("bad")).isSorted().endsWith(4L).doesNotHaveDuplicates();
        }
    }
}
