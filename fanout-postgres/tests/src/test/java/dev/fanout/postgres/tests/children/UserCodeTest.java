// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.children;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fanout.Applied;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever user code does on a worker's thread, the worker goes on. */
@FanoutTest
class UserCodeTest {

    private final TestDatabase database;
    private final Unruly table = new Unruly();
    private final CountDownLatch release = new CountDownLatch(1);

    UserCodeTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void fresh() {
        database.execute("drop schema if exists fanout cascade");
    }

    @AfterEach
    void release() {
        release.countDown();
    }

    @Test
    void an_error_ends_no_worker() {
        parksOnly("bad", event -> {
            throw new StackOverflowError("of user code");
        });
    }

    @Test
    void an_error_of_the_virtual_machine_ends_no_worker() {
        parksOnly("bad", event -> {
            throw new OutOfMemoryError("of user code");
        });
    }

    @Test
    void a_handler_that_interrupts_its_own_thread_ends_no_worker() {
        parksOnly("bad", event -> {
            Thread.currentThread().interrupt();
            return Outcome.failed(new InterruptedException("by itself"));
        });
    }

    @Test
    void an_interrupt_left_behind_by_a_handler_that_succeeds_fails_nothing() {
        table.behaves(event -> {
            Thread.currentThread().interrupt();
            return Outcome.applied();
        });
        try (Yard yard = Yard.with(database, child -> child.projection(table))) {
            for (int i = 0; i < 20; i++) {
                yard.append("e" + i % 3);
            }
            yard.awaitDrained();
            assertThat(yard.parked()).isEmpty();
        }
        table.assertTakenOnceInOrder();
        assertThat(table.count()).isEqualTo(20);
    }

    @Test
    void a_handler_that_hangs_is_interrupted_and_its_event_parked_while_others_flow() {
        CountDownLatch never = new CountDownLatch(1);
        parksOnly("bad", event -> {
            never.await();
            return Outcome.applied();
        });
    }

    private void parksOnly(String id, Projection conduct) {
        table.behaves(event -> event.entity().id().equals(id) ? conduct.apply(event) : Outcome.applied());
        try (Yard yard = Yard.with(
                database, 1, Yard.HASTY.handlerTimeout(Duration.ofMillis(300)), child -> child.projection(table))) {
            yard.append(List.of("a", id, "b"));
            yard.parkWhileOthersSucceed(id);
            yard.awaitDrained();
            assertThat(yard.parkedIds()).containsExactly(id);
            assertThat(table.versions("a")).containsOnly(1L);
            assertThat(table.versions("b")).containsOnly(1L);

            table.behaves(event -> Outcome.applied());
            yard.requeue();
            yard.awaitParked(List::isEmpty);
            yard.awaitDrained();
            assertThat(table.versions(id)).isSorted().startsWith(1L).hasSizeGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void a_handler_that_ignores_the_interrupt_blocks_only_its_own_partition() {
        AtomicBoolean stuck = new AtomicBoolean();
        AtomicInteger interrupts = new AtomicInteger();
        table.behaves(event -> {
            if (event.entity().id().equals("bad") && stuck.compareAndSet(false, true)) {
                awaitDeafly(interrupts);
            }
            return Outcome.applied();
        });
        try (Yard yard = Yard.with(
                database, 2, Yard.HASTY.handlerTimeout(Duration.ofMillis(200)), child -> child.projection(table))) {
            yard.append("bad");
            await().atMost(Engines.PATIENCE).until(() -> interrupts.get() > 0);
            yard.appendToEach("e", 40);
            await().atMost(Engines.PATIENCE).until(() -> database.number("select count(*) from fanout.log") == 41);

            long elsewhere = database.number("select count(*) from fanout.event e, fanout.entity n"
                    + " where n.no = e.entity_no and n.id like 'e%' and (select l.partition from fanout.log l"
                    + " where l.event_seq = e.seq) <> (select l.partition from fanout.log l"
                    + " join fanout.event b on b.seq = l.event_seq join fanout.entity m on m.no = b.entity_no"
                    + " where m.id = 'bad')");
            await().atMost(Engines.PATIENCE).until(() -> table.count() >= elsewhere);
            assertThat(elsewhere).isPositive();
            assertThat(table.versions("bad")).isEmpty();

            release.countDown();
            yard.awaitDrained();
            assertThat(yard.fanout.awaitApplied(Engines.CHILD, yard.append("bad"), Engines.PATIENCE))
                    .isEqualTo(Applied.APPLIED);
            assertThat(table.count()).isGreaterThanOrEqualTo(42);
        }
    }

    private void awaitDeafly(AtomicInteger interrupts) {
        while (release.getCount() > 0) {
            try {
                release.await();
            } catch (InterruptedException ignored) {
                interrupts.incrementAndGet();
            }
        }
    }
}
