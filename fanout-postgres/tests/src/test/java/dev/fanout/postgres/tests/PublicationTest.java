// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Frontier;
import dev.fanout.spi.Frontier.Range;
import dev.fanout.spi.Lease;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Outbox;
import dev.fanout.spi.Outbox.Placed;
import dev.fanout.spi.Outbox.Publication;
import dev.fanout.spi.StreamPartition;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

@FanoutTest
class PublicationTest {

    private final TestDatabase database;
    private final Parts parts;
    private Lease lease;

    PublicationTest(TestDatabase database) {
        this.database = database;
        this.parts = Parts.open(database.pool(2), database.dataSource());
    }

    @BeforeEach
    void empty() {
        database.execute("truncate fanout.outbox, fanout.log, fanout.event, fanout.entity, fanout.frontier");
        database.execute("alter sequence fanout.outbox_lane_0 restart");
        lease = parts.lease(Parts.LANE);
    }

    @AfterEach
    void close() {
        parts.close();
    }

    @Test
    void rows_get_dense_positions_by_partition_in_the_order_of_their_ids() throws Exception {
        parts.append(database.dataSource(), "a0", "b1", "c0", "d1", "a0");

        Publication publication = parts.publish(lease, Frontier.START);

        assertThat(publication.placed())
                .extracting(Placed::id, row -> row.at().partition(), Placed::position)
                .containsExactly(
                        tuple(1L, 0, 0L), tuple(2L, 1, 0L), tuple(3L, 0, 1L), tuple(4L, 1, 1L), tuple(5L, 0, 2L));
        assertThat(parts.outbox.waiting(0)).isZero();
    }

    @Test
    void what_is_handed_on_is_what_the_log_holds() throws Exception {
        parts.append(database.dataSource(), "a0", "c0", "a0");

        List<LogRecord> handed = parts.publish(lease, Frontier.START).placed().stream()
                .map(row -> row.record().orElseThrow())
                .toList();

        assertThat(handed).isEqualTo(read(parts.partition(0), 0, 100, 1 << 20));
        assertThat(handed.get(2).event().version()).isEqualTo(2);
        assertThat(handed.get(2).event().headers()).containsEntry("trace", "t-\u00e9\"1");
        assertThat(handed.get(2).event().payload().json()).isEqualTo("{\"name\": \"a0\"}");
    }

    @Test
    void many_publications_in_a_row_answer_alike_when_statements_are_prepared() throws Exception {
        Frontier frontier = Frontier.START;
        for (int i = 0; i < 12; i++) {
            parts.append(database.dataSource(), "a0", "b1");
            List<Placed> placed = parts.publish(lease, frontier).placed();
            assertThat(placed).hasSize(2);
            assertThat(placed.get(0).record().orElseThrow())
                    .isEqualTo(read(parts.partition(0), i, 1, 1).get(0));
            frontier = new Frontier(placed.get(1).id(), List.of());
        }
    }

    @Test
    void a_row_that_commits_late_is_found_in_its_range() throws Exception {
        try (Connection late = database.connect()) {
            late.setAutoCommit(false);
            parts.append(late, "late0");
            parts.append(database.dataSource(), "early0");
            assertThat(ids(parts.publish(lease, Frontier.START))).containsExactly(2L);
            Frontier after = new Frontier(2, List.of(new Range(1, 1)));
            assertThat(ids(parts.publish(lease, after))).isEmpty();

            late.commit();

            assertThat(ids(parts.publish(lease, new Frontier(2, List.of())))).isEmpty();
            assertThat(ids(parts.publish(lease, after))).containsExactly(1L);
        }
    }

    @Test
    void a_late_transaction_larger_than_a_slab_is_published_in_order_before_what_is_newer() throws Exception {
        try (Connection late = database.connect()) {
            late.setAutoCommit(false);
            for (int i = 0; i < 10; i++) {
                parts.append(late, "late" + i);
            }
            parts.append(database.dataSource(), "early0");
            assertThat(ids(parts.publish(lease, Frontier.START))).containsExactly(11L);
            late.commit();
        }
        parts.append(database.dataSource(), "newer0");

        Frontier first = new Frontier(11, List.of(new Range(1, 10)));
        assertThat(ids(parts.publish(lease, first, 4, Map.of()))).containsExactly(1L, 2L, 3L, 4L);
        Frontier second = new Frontier(11, List.of(new Range(5, 10)));
        assertThat(ids(parts.publish(lease, second, 4, Map.of()))).containsExactly(5L, 6L, 7L, 8L);
        Frontier third = new Frontier(11, List.of(new Range(9, 10)));
        assertThat(ids(parts.publish(lease, third, 4, Map.of()))).containsExactly(9L, 10L, 12L);
        assertThat(parts.outbox.waiting(0)).isZero();
    }

    @Test
    void next_is_above_every_writer_and_running_is_not_above_any() throws Exception {
        try (Connection first = database.connect();
                Connection second = database.connect()) {
            first.setAutoCommit(false);
            second.setAutoCommit(false);
            parts.append(first, "one0");
            parts.append(second, "two0");
            long lower = xid(first);
            long higher = xid(second);

            Publication empty = parts.publish(lease, Frontier.START);
            Publication probed = parts.probe(lease, Frontier.START);
            parts.append(database.dataSource(), "three0");
            Publication full = parts.publish(lease, Frontier.START);

            for (Publication look : List.of(empty, probed, full)) {
                assertThat(look.next()).isGreaterThan(higher);
                assertThat(look.running()).isLessThanOrEqualTo(lower);
            }
            second.commit();
            assertThat(parts.publish(lease, new Frontier(3, List.of())).running())
                    .isEqualTo(lower);
            first.rollback();
            assertThat(parts.publish(lease, new Frontier(3, List.of())).running())
                    .isGreaterThan(higher);
        }
    }

    @Test
    void a_tail_below_the_remembered_one_publishes_nothing() throws Exception {
        parts.append(database.dataSource(), "a0");

        assertThatThrownBy(() -> parts.publish(lease, Frontier.START, 10, Map.of(parts.partition(0), 7L)))
                .isInstanceOf(ForgottenException.class);

        assertThat(parts.outbox.waiting(0)).isOne();
        assertThat(read(parts.partition(0), 0, 10, 1000)).isEmpty();
    }

    @Test
    void a_stale_token_publishes_nothing() throws Exception {
        parts.append(database.dataSource(), "a0");
        Lease stale = lease;
        lease = parts.lease(Parts.LANE);

        assertThatThrownBy(() -> parts.publish(stale, Frontier.START)).isInstanceOf(FencedException.class);

        assertThat(parts.outbox.waiting(0)).isOne();
        assertThat(parts.publish(lease, Frontier.START).placed()).hasSize(1);
    }

    @Test
    void a_publication_is_one_transaction_however_often_its_statements_were_prepared() throws Exception {
        Lease stale = lease;
        lease = parts.lease(Parts.LANE);
        for (int i = 0; i < 20; i++) {
            parts.append(database.dataSource(), "a0", "b1");
            assertThatThrownBy(() -> parts.publish(stale, Frontier.START)).isInstanceOf(FencedException.class);
            assertThat(parts.outbox.waiting(0)).isEqualTo(2);
            assertThat(database.number("select count(*) from fanout.frontier")).isEqualTo(i);
            assertThat(parts.publish(lease, Frontier.START).placed()).hasSize(2);
        }
    }

    @Test
    void a_lease_that_is_taken_while_the_fence_waits_refuses_the_publication() throws Exception {
        parts.append(database.dataSource(), "a0");
        try (Connection taker = database.connect()) {
            taker.setAutoCommit(false);
            try (Statement statement = taker.createStatement()) {
                statement.execute("update fanout.lease set token = token + 1 where resource = 'lane/0'");
            }
            CompletableFuture<Publication> late =
                    CompletableFuture.supplyAsync(() -> parts.publish(lease, Frontier.START));
            Awaitility.await().until(() -> database.number("select count(*) from pg_locks where not granted") > 0);
            taker.commit();
            assertThat(late)
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableThat()
                    .withCauseInstanceOf(FencedException.class);
        }
        assertThat(parts.outbox.waiting(0)).isOne();
        assertThat(database.number("select count(*) from fanout.log")).isZero();
    }

    @Test
    void a_pool_of_another_isolation_publishes_and_is_fenced() throws Exception {
        for (String isolation : List.of("repeatable read", "serializable")) {
            String defaults = "alter database \"" + database.name() + "\" set default_transaction_isolation";
            database.execute(defaults + " = '" + isolation + "'");
            try (Parts other = Parts.open(database.pool(2), database.dataSource())) {
                Lease stale = other.lease(Parts.LANE);
                lease = other.lease(Parts.LANE);
                for (int i = 0; i < 3; i++) {
                    parts.append(database.dataSource(), "a0");
                    assertThatThrownBy(() -> other.publish(stale, Frontier.START))
                            .isInstanceOf(FencedException.class);
                    assertThat(other.publish(lease, Frontier.START).placed()).hasSize(1);
                }
            } finally {
                database.execute(defaults + " to default");
            }
        }
    }

    @Test
    void a_released_lease_publishes_nothing() throws Exception {
        parts.append(database.dataSource(), "a0");
        parts.leases.release(lease);

        assertThatThrownBy(() -> parts.publish(lease, Frontier.START)).isInstanceOf(FencedException.class);
    }

    @Test
    void the_stored_frontier_is_the_last_publications() throws Exception {
        assertThat(parts.outbox.frontier(0)).isEqualTo(Frontier.START);
        parts.append(database.dataSource(), "a0");
        Frontier known = new Frontier(0, List.of(new Range(-5, -3)));
        parts.publish(lease, known);

        assertThat(parts.outbox.frontier(0)).isEqualTo(known);
        for (int i = 0; i < 300; i++) {
            parts.append(database.dataSource(), "a0");
            parts.publish(lease, new Frontier(i + 1, List.of()));
        }
        assertThat(parts.outbox.frontier(0)).isEqualTo(new Frontier(300, List.of()));
        assertThat(database.number("select count(*) from fanout.frontier")).isLessThan(200);
    }

    @Test
    void empty_looks_that_expect_nothing_draw_no_transaction_id_and_keep_no_frontier() {
        long before = database.number("select pg_current_xact_id()::text::bigint");
        for (int i = 0; i < 5; i++) {
            parts.probe(lease, Frontier.START);
        }
        assertThat(database.number("select pg_current_xact_id()::text::bigint")).isEqualTo(before + 1);
        assertThat(database.number("select count(*) from fanout.frontier")).isZero();
    }

    @Test
    void payloads_beyond_the_bytes_are_published_but_not_handed_on() throws Exception {
        parts.append(database.dataSource(), "a0", "c0", "e0");
        long one = database.number("select max(size) from fanout.event");

        Publication publication = parts.outbox.publish(
                new Outbox.Request(lease, 0, Frontier.START, true, true, 10, one + 1, true, Map.of(), false));

        assertThat(publication.placed())
                .extracting(row -> row.record().isPresent())
                .containsExactly(true, false, false);
        assertThat(read(parts.partition(0), 0, 10, 1)).hasSize(1);
        assertThat(read(parts.partition(0), 1, 10, 1000)).hasSize(2);
    }

    @Test
    void a_backlog_is_drained_without_holes_or_repeats(TestReporter reporter) {
        int rows = 50_000;
        fill(rows);
        long begun = System.nanoTime();
        long published = 0;
        Frontier frontier = Frontier.START;
        for (List<Placed> placed = parts.publish(lease, frontier).placed();
                !placed.isEmpty();
                placed = parts.publish(lease, frontier).placed()) {
            published += placed.size();
            frontier = new Frontier(placed.get(placed.size() - 1).id(), List.of());
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        reporter.publishEntry("rows per second", Long.toString(rows * 1_000L / Math.max(took.toMillis(), 1)));

        assertThat(published).isEqualTo(rows);
        for (int partition : List.of(0, 1)) {
            List<String> positions =
                    database.column("select position from fanout.log where partition = ? order by position", partition);
            assertThat(positions)
                    .isEqualTo(LongStream.range(0, rows / 2)
                            .mapToObj(Long::toString)
                            .toList());
        }
        assertThat(database.number("select count(*) from (select lag(e.version) over (partition by e.entity_no order by"
                        + " l.position) as before, e.version from fanout.log l join fanout.event e on e.seq ="
                        + " l.event_seq) o where before >= version"))
                .isZero();
    }

    private void fill(int rows) {
        database.execute(
                "insert into fanout.entity (version, deleted, tenant, type, id)"
                        + " select ? / 1000, false, 'default', 'asset', 'asset-' || i from generate_series(1, 1000) i",
                rows);
        database.execute(
                "insert into fanout.event (entity_no, version, id, size, deleted, type, streams, payload) select n.low"
                        + " + i % 1000, 1 + i / 1000, gen_random_uuid(), 512, false, 'asset.renamed', '{1}',"
                        + " jsonb_build_object('name', repeat(md5(i::text), 15)) from generate_series(0, ? - 1) i,"
                        + " (select min(no) as low from fanout.entity) n",
                rows);
        database.execute(
                "insert into fanout.outbox (id, event_seq, lane, stream, partition) select nextval('fanout.outbox_lane_0'),"
                        + " e.seq, 0, ?, e.entity_no % 2 from fanout.event e order by e.seq",
                parts.stream());
    }

    private static List<Long> ids(Publication publication) {
        return publication.placed().stream().map(Placed::id).toList();
    }

    private static long xid(Connection tx) throws Exception {
        try (var statement = tx.createStatement();
                var rows = statement.executeQuery("select pg_current_xact_id()::text::bigint")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private List<LogRecord> read(StreamPartition partition, long from, int limit, long bytes) {
        return parts.log.read(partition, from, limit, bytes, Duration.ZERO).records();
    }
}
