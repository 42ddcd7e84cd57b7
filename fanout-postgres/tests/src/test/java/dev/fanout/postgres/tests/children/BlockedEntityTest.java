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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Scar 31: one saturated key starved all others, and the fix was quadratic. The system property {@code fanout.blocked} says
 * how many events wait behind the blocked one, 20,000 by default; 100,000 is what is promised.
 */
@FanoutTest
class BlockedEntityTest {

    private static final int EVENTS = Integer.getInteger("fanout.blocked", 20_000);

    private final TestDatabase database;
    private final Unruly table = new Unruly();

    BlockedEntityTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void fresh() {
        database.execute("drop schema if exists fanout cascade");
        table.behaves(event -> event.entity().id().equals("bad") && event.version() == 1
                ? Outcome.park("the first")
                : Outcome.applied());
    }

    @Test
    void one_blocked_entity_with_many_events_behind_it_slows_no_other_and_costs_linear_time() {
        try (Yard yard = Yard.with(database, child -> child.projection(table))) {
            yard.append("bad");
            yard.awaitParked(List.of("bad")::equals);
            Duration firstHalf = queueUp(yard, EVENTS / 2);
            Duration secondHalf = queueUp(yard, EVENTS - EVENTS / 2);
            assertThat(secondHalf)
                    .as("the second half, with the first waiting, after %s", firstHalf)
                    .isLessThan(firstHalf.multipliedBy(3).plusSeconds(2));
            assertThat(yard.status().parked()).isEqualTo(EVENTS + 1);

            for (int i = 0; i < 20; i++) {
                assertThat(yard.fanout.awaitApplied(Engines.CHILD, yard.append("good"), Duration.ofSeconds(5)))
                        .isEqualTo(Applied.APPLIED);
            }
            table.behaves(event -> Outcome.applied());
            yard.requeue();
            yard.awaitParked(List::isEmpty);
            yard.awaitDrained();
            assertThat(table.versions("bad")).hasSize(EVENTS + 1);
        }
        table.assertTakenOnceInOrder();
    }

    /** How long it takes from the append until the child has set all of it aside. */
    private static Duration queueUp(Yard yard, int events) {
        long began = System.nanoTime();
        yard.appendMany("bad", events);
        assertThat(yard.fanout.awaitApplied(Engines.CHILD, yard.append("good"), Engines.PATIENCE))
                .isEqualTo(Applied.APPLIED);
        return Duration.ofNanos(System.nanoTime() - began);
    }
}
