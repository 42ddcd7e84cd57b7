// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.children;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Applied;
import dev.fanout.Outcome;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A child that is told late on purpose, by the database's clock. */
@FanoutTest
class DelayTest {

    private static final Duration DELAY = Duration.ofMillis(1_500);

    private final TestDatabase database;
    private final Queue<Long> ages = new ConcurrentLinkedQueue<>();
    private final Unruly table = new Unruly();

    DelayTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void fresh() {
        database.execute("drop schema if exists fanout cascade");
        table.behaves(event -> {
            ages.add(database.number("select (extract(epoch from clock_timestamp() - l.committed_at) * 1000)::bigint"
                    + " from fanout.log l join fanout.event e on e.seq = l.event_seq where e.id = '" + event.id()
                    + "'"));
            return Outcome.applied();
        });
    }

    @Test
    void nothing_is_early_by_the_clock_of_the_database_and_most_is_told_within_a_second_of_due() {
        try (Yard yard = yard()) {
            for (int i = 1; i <= 12; i++) {
                yard.append("e" + i % 4);
                // spread over the time that the first ones wait
                Awaitility.await().pollDelay(Duration.ofMillis(150)).until(() -> true);
            }
            Awaitility.await().atMost(Engines.PATIENCE).until(() -> ages.size() == 12);
            yard.awaitDrained();
        }
        assertThat(ages).allMatch(age -> age >= DELAY.toMillis());
        assertThat(ages.stream().sorted().toList().get(5)).isLessThan(DELAY.toMillis() + 1_000);
        table.assertTakenOnceInOrder();
    }

    @Test
    void what_waits_at_a_restart_still_waits_until_it_is_due_and_is_told_once() {
        try (Yard yard = yard()) {
            yard.appendToEach("e", 10);
            Awaitility.await()
                    .atMost(Engines.PATIENCE)
                    .until(() -> database.number("select count(*) from fanout.log") == 10);
        }
        try (Yard yard = yard()) {
            Awaitility.await().atMost(Engines.PATIENCE).until(() -> ages.size() == 10);
            yard.awaitDrained();
        }
        assertThat(ages).hasSize(10).allMatch(age -> age >= DELAY.toMillis());
        table.assertTakenOnceInOrder();
    }

    @Test
    void a_failing_event_of_a_delay_child_is_parked_and_later_ones_are_not_told_early() {
        try (Yard yard = yard()) {
            table.breaks("bad");
            yard.parkWhileOthersSucceed("bad");
            table.heals();
            yard.requeue();
            yard.awaitParked(List::isEmpty);
            assertThat(yard.fanout.awaitApplied(Engines.CHILD, yard.append("bad"), Engines.PATIENCE))
                    .isEqualTo(Applied.APPLIED);
        }
        assertThat(ages).allMatch(age -> age >= DELAY.toMillis());
        assertThat(table.versions("bad")).containsExactly(1L, 2L);
    }

    private Yard yard() {
        return Yard.with(database, child -> child.projection(table).delay(DELAY));
    }
}
