// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.postgres.tests.kit.Books;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.ChildJvm;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Scar 44: a backlog was loaded whole into memory. The profile {@code torture} says 1,000,000 rows and 128 MB. */
@FanoutTest
class SmallHeapTest {

    private static final long ROWS = Long.getLong("fanout.backlog", 100_000);
    private static final String HEAP = System.getProperty("fanout.backlog.heap", "64m");

    @Test
    void a_backlog_many_times_the_heap_is_drained(TestDatabase database) {
        Engines.on(database.dataSource()).build().close();
        fill(database);
        assertThat(database.number("select sum(size) from fanout.event"))
                .as("bytes of payload alone, beside an engine of some 30 MB")
                .isGreaterThan(ROWS * 500);
        try (ChildJvm engine = ChildJvm.running(DrainProcess.class)
                .options("-Xmx" + HEAP, "-XX:+ExitOnOutOfMemoryError")
                .arguments(database.jdbcUrl(), database.user(), Long.toString(ROWS))
                .start()) {
            engine.awaitLine("drained " + ROWS, Duration.ofMinutes(10));
            assertThat(engine.awaitExit(Duration.ofMinutes(1))).isZero();
        }
        new Books(database).assertBalanced();
    }

    /** What as many appends would have left, for a thousand entities. */
    private static void fill(TestDatabase database) {
        long stream = database.number("select no from fanout.stream");
        database.execute(
                "insert into fanout.entity (version, deleted, tenant, type, id)"
                        + " select ? / 1000, false, 'default', 'asset', 'asset-' || i from generate_series(1, 1000) i",
                ROWS);
        database.execute(
                "insert into fanout.event (entity_no, version, id, size, deleted, type, streams, payload)"
                        + " select n.low + i % 1000, 1 + i / 1000, gen_random_uuid(), 512, false, 'asset.renamed', array[?],"
                        + " jsonb_build_object('name', repeat(md5(i::text), 15))"
                        + " from generate_series(0, ? - 1) i, (select min(no) as low from fanout.entity) n",
                (int) stream, ROWS);
        database.execute(
                "insert into fanout.outbox (id, event_seq, lane, stream, partition)"
                        + " select nextval('fanout.outbox_lane_0'), e.seq, 0, ?, 0 from fanout.event e order by e.seq",
                (int) stream);
    }
}
