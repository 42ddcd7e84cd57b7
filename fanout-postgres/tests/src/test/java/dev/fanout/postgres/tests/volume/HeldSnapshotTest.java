// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.volume;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Append;
import dev.fanout.Fanout;
import dev.fanout.Settings;
import dev.fanout.StreamSpec;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.postgres.tests.Shop;
import dev.fanout.postgres.tests.kit.Diary;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Cursors.Cursor;
import dev.fanout.spi.Cursors.Parking;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Lease;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Scars 51 and 52: what somebody's open snapshot costs, which keeps every dead row. */
@FanoutTest
class HeldSnapshotTest {

    private static final int ENTITIES = 1_000;
    private static final int SLABS = 120;
    private static final int SAMPLE = 20;

    /**
     * The stored frontier is one publication old, and that much is read again: a small slab against many dead rows. The
     * backstop looks without the mark on purpose, and is not what is measured.
     */
    private static final Settings SMALL = Settings.defaults().slabRecords(200).pollInterval(Duration.ofHours(1));

    private final TestDatabase database;

    HeldSnapshotTest(TestDatabase database) {
        this.database = database;
    }

    @Test
    void gates_of_a_thousand_entities_cost_the_same_after_many_slabs() throws Exception {
        database.execute("drop schema if exists fanout cascade");
        try (Connection held = database.connect();
                HikariDataSource pool = database.pool(2);
                PostgresStore store = PostgresStore.of(pool)) {
            Layout layout = store.open(new Declaration(
                    List.of(StreamSpec.named("assets").entities("asset")),
                    List.of(new Declaration.Child("search", "assets", "PLAIN", true, "00000000000000aa")),
                    Shop.CODEC,
                    Settings.defaults()));
            hold(held);
            long node = store.leases().join("node", Set.of("search"));
            Lease lease = store.leases().take("child/search/0", 0, node).orElseThrow();
            Layout.Attachment child = layout.attachment("search").orElseThrow();

            long[] nanos = new long[SLABS];
            for (int slab = 0; slab < SLABS; slab++) {
                long begun = System.nanoTime();
                assertThat(store.cursors().gates(child, entities())).hasSize(slab == 0 ? 0 : ENTITIES);
                store.cursors().advance(step(lease, child, slab));
                nanos[slab] = System.nanoTime() - begun;
            }
            // an updated row grew from 2 to 85 ms, forty times; the bound is wide for a machine that is busy
            assertThat(median(nanos, SLABS - SAMPLE, SLABS))
                    .as("nanoseconds per slab at the end, against the beginning")
                    .isLessThan(6 * median(nanos, 0, SAMPLE));
            held.rollback();
        }
    }

    @Test
    void a_relay_at_the_mark_does_not_read_the_dead_rows_below_it() throws Exception {
        database.execute("drop schema if exists fanout cascade");
        int dead = 20_000;
        Diary diary = new Diary();
        try (Connection held = database.connect()) {
            Engines.on(database.dataSource()).build().close();
            hold(held);
            leaveDeadRows(diary, dead);
            // as autovacuum does in time: no live row, so that reading them all looks cheap
            database.execute("analyze fanout.outbox");
            long entries = read("idx_tup_read");
            long scans = read("idx_scan");

            appendOneByOne(diary, 50);

            entries = read("idx_tup_read") - entries;
            scans = read("idx_scan") - scans;
            // per scan, since a slow machine leaves time for more looks; a leader that began at zero would read all of
            // them in each
            assertThat(entries / scans)
                    .as("index entries read by each of %s scans", scans)
                    .isLessThan(dead / 10);
            held.rollback();
        }
    }

    private void leaveDeadRows(Diary diary, int rows) throws Exception {
        try (HikariDataSource pool = database.pool(4);
                Fanout<Connection> fanout = Engines.started(pool, diary, SMALL)) {
            for (int i = 0; i < rows; i += ENTITIES) {
                List<Append> batch = entities().stream()
                        .map(n -> Engines.renamed("asset-" + n))
                        .toList();
                fanout.inTransaction(tx -> fanout.append(tx, batch));
            }
            diary.awaitSize(rows);
        }
    }

    /** With an hour between the looks that ignore the mark. */
    private void appendOneByOne(Diary diary, int rows) {
        Settings settings = SMALL.pollInterval(Duration.ofHours(1));
        try (HikariDataSource pool = database.pool(4);
                Fanout<Connection> fanout = Engines.started(pool, diary, settings)) {
            for (int i = 1; i <= rows; i++) {
                Engines.append(fanout, "fresh");
                diary.awaitLine("fresh", i);
            }
        }
    }

    /** The sessions that counted have ended, and so have reported. */
    private long read(String counter) {
        Awaitility.await()
                .atMost(Engines.PATIENCE)
                .until(() -> database.backends().size() <= 1);
        return database.number("select " + counter + " from pg_stat_user_indexes where indexrelname = 'outbox_pkey'");
    }

    private static void hold(Connection held) throws Exception {
        held.setAutoCommit(false);
        held.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = held.createStatement()) {
            statement.execute("select pg_current_xact_id()");
        }
    }

    private static List<Long> entities() {
        return IntStream.rangeClosed(1, ENTITIES).mapToObj(Long::valueOf).toList();
    }

    private static Advance step(Lease lease, Layout.Attachment child, int slab) {
        Map<Long, Long> gates = new HashMap<>();
        Map<Long, Long> passed = new HashMap<>();
        for (Long entity : entities()) {
            gates.put(entity, slab + 1L);
            if (slab > 0) {
                passed.put(entity, (long) slab);
            }
        }
        return new Advance(
                lease, child, 0, at(slab), at(slab + 1), gates, passed, Parking.NONE, List.of(), Optional.empty());
    }

    private static Cursor at(int slab) {
        long position = (long) slab * ENTITIES;
        return new Cursor(slab, position, new Counts(position, 0, 0, 0, 0, 0, 0));
    }

    private static long median(long[] nanos, int from, int to) {
        long[] some = Arrays.copyOfRange(nanos, from, to);
        Arrays.sort(some);
        return some[some.length / 2];
    }
}
