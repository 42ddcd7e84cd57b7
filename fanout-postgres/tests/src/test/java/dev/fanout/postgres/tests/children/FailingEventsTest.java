// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.children;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fanout.Applied;
import dev.fanout.CodecException;
import dev.fanout.Outcome;
import dev.fanout.ParkedEntity;
import dev.fanout.postgres.tests.kit.Accounts;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scars 28, 29, 32, 54, 55: events that can't be applied, and what becomes of everything else. */
@FanoutTest
class FailingEventsTest {

    private final TestDatabase database;
    private final Unruly table = new Unruly();

    FailingEventsTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void fresh() {
        database.execute("drop schema if exists fanout cascade");
        database.execute("drop table if exists copy");
    }

    @Test
    void an_event_that_keeps_failing_is_parked_with_its_cause_and_what_comes_later_queues_up_behind_it() {
        try (Yard yard = Yard.with(database, child -> child.projection(table))) {
            table.breaks("bad");
            yard.parkWhileOthersSucceed("bad");
            ParkedEntity bad = yard.parked().get(0);
            assertThat(bad.cause()).contains("bad is broken");
            assertThat(bad.version()).isOne();
            assertThat(bad.attempts()).isGreaterThanOrEqualTo(Yard.HASTY.attempts());

            table.heals();
            yard.appendMany("bad", 20);
            yard.append("good");
            yard.awaitDrained();
            assertThat(yard.parked().get(0).waiting()).isEqualTo(21);
            assertThat(table.versions("bad")).isEmpty();

            yard.requeue("bad");
            yard.awaitParked(List::isEmpty);
            yard.append("bad");
            yard.awaitDrained();
            assertThat(table.versions("bad"))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 22).boxed().toList());
            assertThat(yard.status().parked()).isZero();
        }
        table.assertTakenOnceInOrder();
    }

    @Test
    void requeueing_one_leaves_the_others_parked_and_requeueing_all_frees_them() {
        try (Yard yard = Yard.with(database, child -> child.projection(table))) {
            table.breaks("a", "b", "c");
            yard.parkWhileOthersSucceed("a", "b", "c");
            table.heals();
            yard.requeue("b");
            yard.awaitParked(List.of("a", "c")::equals);
            yard.awaitDrained();
            assertThat(table.versions("b")).containsExactly(1L);
            assertThat(yard.status().parked()).isEqualTo(2);

            yard.requeue();
            yard.awaitParked(List::isEmpty);
            yard.awaitDrained();
        }
        table.assertTakenOnceInOrder();
    }

    @Test
    void what_is_discarded_is_counted_and_what_comes_later_flows() {
        try (Yard yard = Yard.with(database, child -> child.projection(table))) {
            table.breaks("bad");
            yard.parkWhileOthersSucceed("bad");
            yard.append("bad");
            yard.awaitDrained();
            yard.discard("bad");
            yard.awaitParked(List::isEmpty);
            table.heals();
            assertThat(yard.fanout.awaitApplied(Engines.CHILD, yard.append("bad"), Engines.PATIENCE))
                    .isEqualTo(Applied.APPLIED);
            yard.awaitDrained();
            assertThat(table.versions("bad")).containsExactly(3L);
            assertThat(yard.status().discarded()).isEqualTo(2);
            assertThat(yard.status().parked()).isZero();
        }
    }

    /** Scar 28: one undecodable row stopped everything. */
    @Test
    void a_payload_that_cannot_be_read_is_parked_at_once_with_its_event_and_the_rest_proceeds() {
        table.behaves(event -> {
            if (event.entity().id().equals("odd")) {
                throw new CodecException("not an asset", new IllegalArgumentException("no name"));
            }
            return Outcome.applied();
        });
        try (Yard yard = Yard.with(database, child -> child.projection(table))) {
            yard.append(List.of("a", "odd", "b", "odd"));
            yard.awaitDrained();
            assertThat(table.taken()).extracting(event -> event.entity().id()).containsExactly("a", "b");
            assertThat(yard.parkedIds()).containsExactly("odd");
            assertThat(database.column("select e.payload::text from fanout.parked_event p"
                            + " join fanout.event e on e.seq = p.event_seq order by p.version"))
                    .hasSize(2)
                    .allMatch(payload -> payload.contains("odd"));
        }
    }

    /** Scar 29: rows that were given up sat at the head of the batch and starved the good ones. */
    @Test
    void a_thousand_parked_entities_do_not_hold_up_one_good_event() {
        table.behaves(event ->
                event.entity().id().startsWith("bad") ? Outcome.park("not for this table") : Outcome.applied());
        try (Yard yard = Yard.with(database, child -> child.projection(table))) {
            yard.appendToEach("bad", 1_000);
            assertThat(yard.fanout.awaitApplied(Engines.CHILD, yard.append("good"), Duration.ofSeconds(20)))
                    .isEqualTo(Applied.APPLIED);
            yard.awaitDrained();
            assertThat(yard.parked()).hasSize(1_000);
            yard.appendToEach("bad", 1_000);
            assertThat(yard.fanout.awaitApplied(Engines.CHILD, yard.append("good"), Duration.ofSeconds(20)))
                    .isEqualTo(Applied.APPLIED);
            yard.awaitDrained();
            assertThat(yard.status().parked()).isEqualTo(2_000);
        }
    }

    /** Scar 32: the write of the dead letter itself threw, and the partition was wedged but not marked. */
    @Test
    void an_event_that_cannot_even_be_set_aside_is_tried_until_it_can() {
        table.behaves(event -> event.entity().id().equals("bad") ? Outcome.park("never") : Outcome.applied());
        try (Yard yard = Yard.with(database, child -> child.projection(table))) {
            database.execute("create function refuse() returns trigger language plpgsql as $$ begin"
                    + " raise exception 'no room for parked events'; end $$;"
                    + " create trigger refuse before insert on fanout.parked_event execute function refuse()");
            yard.append(List.of("a", "bad", "b"));
            await().atMost(Engines.PATIENCE).until(() -> table.count() > 0);
            assertThat(yard.parked()).isEmpty();
            assertThat(yard.fanout.status().isDrained()).isFalse();
            Accounts.assertConserved(database);

            database.execute("drop trigger refuse on fanout.parked_event; drop function refuse()");
            yard.awaitDrained();
            assertThat(yard.parkedIds()).containsExactly("bad");
            assertThat(table.versions("a")).endsWith(1L);
            assertThat(table.versions("b")).endsWith(1L);
        }
    }

    /** Scar 54: one poison event rolled a transactional slab back for ever, and looked like an outage. */
    @Test
    void a_transactional_slab_with_one_poison_event_delivers_all_others_once() {
        database.execute(
                "create table copy (asset text not null, version bigint not null, primary key (asset, version))");
        try (Yard yard = Yard.with(
                database,
                child -> child.transactional((event, tx) -> {
                    try (Statement statement = tx.createStatement()) {
                        // what a database says no to: it also ends the transaction of the whole slab
                        statement.execute(
                                "insert into copy values ('" + event.entity().id() + "', "
                                        + (event.entity().id().equals("e17") ? "null" : event.version()) + ")");
                    }
                    return Outcome.applied();
                }))) {
            yard.append(IntStream.range(0, 400).mapToObj(i -> "e" + i % 100).toList());
            await().atMost(Duration.ofSeconds(30)).until(() -> database.number("select count(*) from copy") == 396);
            await().atMost(Engines.PATIENCE).until(() -> {
                yard.append("e1");
                return !yard.parked().isEmpty();
            });
            yard.awaitDrained();
            assertThat(yard.parkedIds()).containsExactly("e17");
            assertThat(yard.parked().get(0).waiting()).isEqualTo(4);
            assertThat(yard.parked().get(0).cause()).contains("null value in column \"version\"");
            assertThat(database.number("select count(*) from copy"))
                    .isEqualTo(yard.status().applied());
            assertThat(database.number("select count(*) from copy where asset = 'e17'"))
                    .isZero();
        }
    }

    /** Scar 55: requeue emptied the parked rows just as the cursor parked the next event behind them: stranded. */
    @Test
    void requeueing_while_more_is_parked_strands_nothing() {
        Random random = new Random(55);
        table.behaves(event -> event.entity().id().startsWith("bad") && random.nextInt(4) == 0
                ? Outcome.park("now and then")
                : Outcome.applied());
        int events = 0;
        try (Yard yard = Yard.with(database, child -> child.projection(table))) {
            for (int round = 0; round < 60; round++) {
                yard.append(List.of("bad" + round % 7, "bad" + round % 5, "good"));
                events += 3;
                if (round % 3 == 0) {
                    yard.requeue();
                }
                Accounts.assertConserved(database);
            }
            table.behaves(event -> Outcome.applied());
            await().atMost(Engines.PATIENCE).until(() -> {
                yard.requeue();
                return yard.fanout.status().isDrained() && yard.parked().isEmpty();
            });
            yard.awaitDrained();
            assertThat(yard.status().applied()).isEqualTo(events);
        }
        assertThat(table.count()).isEqualTo(events);
        table.assertTakenOnceInOrder();
        assertThat(database.number("select count(*) from fanout.parked_event")).isZero();
    }

    /** Scar 33: the database was down for a minute, and thousands of events were parked as poison. */
    @Test
    void a_store_that_is_down_parks_nothing_however_much_waits() {
        try (Yard yard = Yard.with(database, 2, Yard.HASTY, child -> child.projection(table))) {
            yard.appendToEach("e", 50);
            yard.awaitDrained();
            table.isDown(true);
            long failures = 0;
            for (int round = 0; round < 30; round++) {
                yard.appendToEach("e", 50);
                failures += yard.parked().size();
            }
            await().during(Duration.ofSeconds(2))
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> yard.parked().isEmpty());
            table.isDown(false);
            yard.awaitDrained();
            assertThat(failures).isZero();
            assertThat(yard.parked()).isEmpty();
            assertThat(table.count()).isEqualTo(31 * 50);
        }
        table.assertTakenOnceInOrder();
    }
}
