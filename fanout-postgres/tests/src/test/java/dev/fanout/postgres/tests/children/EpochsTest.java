// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.children;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fanout.Outcome;
import dev.fanout.Status;
import dev.fanout.postgres.tests.kit.Accounts;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scars 20, 37, 53: what an attachment wrote is never mistaken for another's, nor one partition for another. */
@FanoutTest
class EpochsTest {

    private final TestDatabase database;
    private final Unruly table = new Unruly();

    EpochsTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void fresh() {
        database.execute("drop schema if exists fanout cascade");
    }

    /** Scar 20: a late save overwrote a reset of the cursor. */
    @Test
    void a_step_that_comes_late_does_not_move_the_cursor_of_a_newer_attachment() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        table.behaves(event -> {
            if (reached.getCount() > 0) {
                reached.countDown();
                release.await();
            }
            return Outcome.applied();
        });
        try (Yard yard = Yard.with(database, child -> child.projection(table))) {
            yard.append(Collections.nCopies(10, "a"));
            reached.await();
            long old = attachment();
            yard.fanout.children().detach(Engines.CHILD);
            yard.fanout.children().attach(Engines.CHILD);
            assertThat(attachment()).isNotEqualTo(old);
            release.countDown();
            yard.awaitDrained();
            assertThat(database.number(
                            "select coalesce(max(position), 0) from fanout.cursor where attachment = " + old))
                    .isZero();
            assertThat(yard.status().applied()).isEqualTo(10);
            List<Long> versions = table.versions("a");
            assertThat(versions.subList(versions.size() - 10, versions.size()))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 10).boxed().toList());
        }
    }

    /** Scar 53: re-attached from the beginning after its store was emptied, it got nothing: the old gates dropped it all. */
    @Test
    void a_child_that_is_attached_again_from_the_beginning_gets_everything_again_also_what_was_parked() {
        try (Yard yard = Yard.with(database, child -> child.projection(table))) {
            table.behaves(
                    event -> event.entity().id().equals("bad") ? Outcome.park("not this one") : Outcome.applied());
            yard.append(List.of("a", "bad", "b", "a", "bad"));
            yard.awaitDrained();
            assertThat(yard.parkedIds()).containsExactly("bad");
            long before = token();

            table.behaves(event -> Outcome.applied());
            yard.fanout.children().detach(Engines.CHILD);
            yard.fanout.children().attach(Engines.CHILD);
            await().atMost(Engines.PATIENCE).until(() -> table.count() == 3 + 5);
            yard.awaitDrained();
            assertThat(yard.parked()).isEmpty();
            assertThat(yard.status().applied()).isEqualTo(5);
            assertThat(yard.status().gated()).isZero();
            assertThat(token()).isGreaterThan(before);
        }
    }

    /** Scar 37: lag compared one partition's cursor with another's head. */
    @Test
    void the_lag_of_a_partition_is_its_own_head_less_its_own_cursor() {
        try (Yard yard = Yard.with(database, 2, Yard.HASTY, child -> child.projection(table))) {
            yard.append(Collections.nCopies(50, "a"));
            yard.appendToEach("e", 20);
            yard.awaitDrained();
            List<Status.Child> drained = yard.fanout.status().children();
            assertThat(drained).hasSize(2).allMatch(one -> one.pending() == 0);
            assertThat(drained.get(0).head()).isNotEqualTo(drained.get(1).head());

            yard.fanout.children().pause(Engines.CHILD);
            await().atMost(Engines.PATIENCE)
                    .until(() -> database.number(
                                    "select count(*) from fanout.lease where resource like 'child/%' and node is not null")
                            == 0);
            yard.append(Collections.nCopies(7, "a"));
            await().atMost(Engines.PATIENCE).until(() -> database.number("select count(*) from fanout.log") == 77);
            assertThat(yard.fanout.status().children())
                    .extracting(Status.Child::pending)
                    .containsExactlyInAnyOrder(0L, 7L);
            yard.fanout.children().resume(Engines.CHILD);
            yard.awaitDrained();
        }
    }

    /** Retention doesn't know of parked events: their log rows go, and they must go on to the child stream all the same. */
    @Test
    void a_parked_record_of_a_child_stream_is_passed_on_after_the_log_has_dropped_it() {
        table.breaks("bad");
        try (Yard yard = Yard.with(
                database,
                builder -> builder.stream("retries", stream -> stream).filter("moody", event -> {
                    if (event.entity().id().equals("bad") && table.isBroken("bad")) {
                        throw new IllegalStateException("the filter is broken");
                    }
                    return true;
                }),
                child -> child.stream("retries").filter("moody"))) {
            yard.parkWhileOthersSucceed("bad");
            yard.append(List.of("bad", "good"));
            yard.awaitDrained();
            long assets = database.number("select no from fanout.stream where name = 'assets'");
            database.execute("delete from fanout.log l where stream = " + assets
                    + " and position < (select max(position) from fanout.log where stream = " + assets + ")");
            table.heals();
            yard.requeue();
            yard.awaitParked(List::isEmpty);
            String retold = "select e.version from fanout.log l join fanout.event e on e.seq = l.event_seq"
                    + " join fanout.entity n on n.no = e.entity_no where n.id = 'bad' and l.stream <> " + assets
                    + " order by l.position";
            await().atMost(Engines.PATIENCE).until(() -> database.column(retold).size() >= 2);
            yard.append("bad");
            yard.awaitDrained();
            await().atMost(Engines.PATIENCE)
                    .untilAsserted(() -> assertThat(database.column(retold)).containsExactly("1", "2", "3"));
            Accounts.assertConserved(database);
        }
    }

    private long attachment() {
        return database.number("select no from fanout.attachment where detached_at is null");
    }

    private long token() {
        return database.number("select max(token) from fanout.lease where resource like 'child/%'");
    }
}
