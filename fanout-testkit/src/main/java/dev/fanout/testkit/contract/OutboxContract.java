// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Outbox.Placed;
import dev.fanout.spi.Outbox.Publication;
import dev.fanout.spi.StreamPartition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** {@code Outbox.publish}: order, positions, limits, and what comes back. */
abstract class OutboxContract<T> extends Scene<T> {

    private static final int WRITERS = 8;
    private static final int EACH = 25;

    @Test
    void an_empty_outbox_publishes_nothing() {
        assertThat(placed(new Look(takeLane()))).isEmpty();
        assertThat(store.leases().survey().heads()).isEmpty();
    }

    @Test
    void rows_are_published_by_ascending_id_with_dense_positions_in_each_partition() throws Exception {
        appended(Given.to("a").event(route(assets(0))).event(route(assets(0))));
        appended(Given.to("b").event(route(assets(1))));
        appended(Given.to("a").event(route(assets(0)), route(audit())));
        List<Placed> placed = placed(new Look(takeLane()));
        assertThat(placed)
                .extracting(Placed::id)
                .isSorted()
                .doesNotHaveDuplicates()
                .hasSize(5);
        assertThat(positions(placed, assets(0))).containsExactly(0L, 1L, 2L);
        assertThat(positions(placed, assets(1))).containsExactly(0L);
        assertThat(positions(placed, audit())).containsExactly(0L);
    }

    @Test
    void positions_go_on_in_the_next_look() throws Exception {
        Look look = new Look(takeLane());
        appended(Given.to("a").event(route(assets(0))));
        placed(look);
        appended(Given.to("a").event(route(assets(0))));
        assertThat(positions(placed(look), assets(0))).containsExactly(1L);
        assertThat(read(assets(0))).extracting(LogRecord::position).containsExactly(0L, 1L);
    }

    @Test
    void a_row_is_published_once() throws Exception {
        Look look = new Look(takeLane());
        appended(Given.to("a").event(route(assets(0))));
        assertThat(placed(look)).hasSize(1);
        assertThat(placed(look)).isEmpty();
        assertThat(placed(look.full())).isEmpty();
        assertThat(waiting()).isZero();
    }

    @Test
    void a_look_that_expects_no_rows_publishes_those_that_are_there() throws Exception {
        Look look = new Look(takeLane()).unexpecting();
        assertThat(placed(look)).isEmpty();
        appended(Given.to("a").event(route(assets(0))));
        assertThat(placed(look)).hasSize(1);
        assertThat(placed(look)).isEmpty();
    }

    @Test
    void a_look_publishes_no_more_than_its_limit_and_the_lowest_ids_first() throws Exception {
        appended(Given.to("a").event(route(assets(0))).event(route(assets(0))).event(route(assets(0))));
        Look look = new Look(takeLane()).limit(2);
        List<Placed> first = placed(look);
        assertThat(positions(first, assets(0))).containsExactly(0L, 1L);
        assertThat(waiting()).isEqualTo(1);
        List<Placed> second = placed(look);
        assertThat(positions(second, assets(0))).containsExactly(2L);
        assertThat(second.get(0).id()).isGreaterThan(first.get(1).id());
    }

    @Test
    void the_events_that_were_asked_for_are_the_records_of_the_log() throws Exception {
        appended(Given.to("a").event("{\"n\": 1}", route(assets(0))).event("{\"n\": 2}", route(assets(0))));
        List<Placed> placed = placed(new Look(takeLane()));
        assertThat(placed.stream().map(Placed::record).flatMap(Optional::stream))
                .containsExactlyElementsOf(read(assets(0)));
    }

    @Test
    void events_that_were_not_asked_for_do_not_come_back() throws Exception {
        appended(Given.to("a").event(route(assets(0))));
        assertThat(placed(new Look(takeLane()).withoutEvents()))
                .extracting(Placed::record)
                .containsExactly(Optional.empty());
        assertThat(read(assets(0))).hasSize(1);
    }

    @Test
    void events_beyond_the_byte_limit_do_not_come_back_but_are_published() throws Exception {
        String payload = "{\"n\": 1}";
        appended(Given.to("a")
                .event(payload, route(assets(0)))
                .event(payload, route(assets(0)))
                .event(payload, route(assets(0))));
        List<Placed> placed = placed(new Look(takeLane()).bytes(2L * payload.length()));
        assertThat(placed).extracting(one -> one.record().isPresent()).containsExactly(true, true, false);
        assertThat(read(assets(0))).hasSize(3);
    }

    @Test
    void the_time_of_publication_never_falls_within_a_partition() throws Exception {
        Look look = new Look(takeLane());
        for (int i = 0; i < 5; i++) {
            appended(Given.to("a").event(route(assets(0))).event(route(assets(0))));
            placed(look);
        }
        List<Instant> times =
                read(assets(0)).stream().map(LogRecord::committedAt).toList();
        assertThat(times).hasSize(10).isSorted();
    }

    @Test
    void a_look_tells_the_lowest_transaction_that_still_runs() throws Exception {
        Look look = new Look(takeLane());
        T open = harness.begin();
        append(open, Given.to("a").event(route(assets(0))));
        long id = harness.id(open);
        appended(Given.to("b").event(route(assets(0))));
        assertThat(publish(look).running()).isLessThanOrEqualTo(id);
        assertThat(publish(look).running()).isLessThanOrEqualTo(id);
        harness.commit(open);
        assertThat(publish(look).running()).isGreaterThan(id);
    }

    @Test
    void what_has_not_been_given_out_is_above_every_transaction_that_had_its_id() throws Exception {
        T older = harness.begin();
        harness.put(older, "row", "1");
        T younger = harness.begin();
        append(younger, Given.to("a").event(route(assets(0))));
        append(older, Given.to("b").event(route(assets(0))));
        long id = harness.id(younger);
        harness.commit(older);
        // the younger one holds an outbox id below the older one's, and is above every id that has ended: a snapshot's
        // own upper end would be too low here
        Publication look = publish(new Look(takeLane()));
        assertThat(look.placed()).hasSize(1);
        assertThat(look.next()).isGreaterThan(id);
        assertThat(look.running()).isLessThanOrEqualTo(id);
        harness.commit(younger);
    }

    @Test
    void per_entity_the_order_of_the_log_is_the_order_of_versions_whoever_writes_at_once() throws Exception {
        CyclicBarrier together = new CyclicBarrier(WRITERS + 1);
        List<Future<Boolean>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            writers.add(inBackground(writer(together)));
        }
        Look look = new Look(takeLane()).full().limit(16).withoutEvents();
        together.await(60, TimeUnit.SECONDS);
        while (writers.stream().anyMatch(writer -> !writer.isDone())) {
            placed(look);
        }
        for (Future<Boolean> writer : writers) {
            await(writer);
        }
        while (!placed(look).isEmpty()) {
            assertThat(waiting()).isGreaterThanOrEqualTo(0);
        }
        assertOrder(read(assets(0)));
    }

    private Callable<Boolean> writer(CyclicBarrier together) {
        return () -> {
            together.await(60, TimeUnit.SECONDS);
            for (int i = 0; i < EACH; i++) {
                T tx = harness.begin();
                append(tx, Given.to("e" + i % 3).event(route(assets(0))));
                append(tx, Given.to("f" + i % 2).event(route(assets(0))).event(route(assets(0))));
                harness.commit(tx);
            }
            return true;
        };
    }

    private static void assertOrder(List<LogRecord> records) {
        assertThat(records).hasSize(WRITERS * EACH * 3);
        assertThat(records.stream().mapToLong(LogRecord::position))
                .containsExactlyElementsOf(
                        LongStream.range(0, records.size()).boxed().toList());
        Map<Long, Long> versions = new HashMap<>();
        for (LogRecord record : records) {
            long version = versions.merge(record.entityNo(), 1L, Long::sum);
            assertThat(record.event().version()).isEqualTo(version);
        }
    }

    private static List<Long> positions(List<Placed> placed, StreamPartition partition) {
        return placed.stream()
                .filter(one -> one.at().equals(partition))
                .map(Placed::position)
                .toList();
    }
}
