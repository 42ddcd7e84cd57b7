// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Fanout;
import dev.fanout.Outcome;
import dev.fanout.Settings;
import dev.fanout.Status;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.postgres.tests.Shop;
import dev.fanout.postgres.tests.kit.Diary;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Leases.Survey;
import dev.fanout.spi.Retention;
import dev.fanout.spi.StreamPartition;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Old records go while everything else runs. */
@FanoutTest
class RemovalTest {

    private final TestDatabase database;

    RemovalTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void fresh() {
        database.execute("drop schema if exists fanout cascade");
    }

    @Test
    void removal_under_load_causes_no_deadlock_and_waits_for_nobody() throws Exception {
        Diary diary = new Diary();
        var threads = Executors.newSingleThreadExecutor();
        try (HikariDataSource pool = database.pool(6);
                Fanout<Connection> fanout = Engines.started(pool, diary);
                PostgresStore janitors = PostgresStore.of(pool)) {
            Engines.append(fanout, "asset-0");
            diary.awaitSize(1);
            Future<Void> load = threads.submit(() -> {
                for (int i = 1; i < 1_000; i++) {
                    Engines.append(fanout, "asset-" + i % 10);
                }
                return null;
            });
            Lease lease = steal(janitors);
            long removed = 0;
            while (!load.isDone()) {
                removed += removeAll(janitors.retention(), lease, at(janitors), 50);
            }
            load.get();
            diary.awaitSize((int) (1_000 - lost(fanout)));
            await().atMost(Engines.PATIENCE).until(() -> fanout.status().isDrained());

            assertThat(removed).isPositive();
            assertThat(database.number("select deadlocks from pg_stat_database where datname = current_database()"))
                    .isZero();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Scar 56: the hole between where a cursor stood and what it read next was skipped silently. */
    @Test
    void records_removed_between_two_reads_of_a_cursor_are_counted_one_by_one() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Diary diary = new Diary();
        try (HikariDataSource pool = database.pool(6);
                Fanout<Connection> appender = Engines.on(pool).build();
                PostgresStore janitors = PostgresStore.of(pool)) {
            try (Fanout<Connection> relay = Engines.started(pool, event -> Outcome.applied())) {
                for (int i = 0; i < 30; i++) {
                    Engines.append(appender, "asset-" + i);
                }
                await().atMost(Engines.PATIENCE).until(() -> relay.status().isDrained());
                relay.children().detach(Engines.CHILD);
            }
            try (Fanout<Connection> fanout = Engines.started(
                    pool,
                    event -> {
                        if (reached.getCount() > 0) {
                            reached.countDown();
                            release.await();
                        }
                        return diary.apply(event);
                    },
                    Engines.BRISK.slabRecords(10))) {
                fanout.children().attach(Engines.CHILD);
                reached.await();
                removeAll(janitors.retention(), steal(janitors), at(janitors), 100);
                release.countDown();
                await().atMost(Engines.PATIENCE).until(() -> fanout.status().isDrained());

                Status.Child child = fanout.status().children().get(0);
                assertThat(child.lost()).isPositive();
                assertThat(child.applied() + child.lost()).isEqualTo(30);
                assertThat(diary.size()).isEqualTo((int) child.applied());
                assertThat(child.needsRebuild()).isTrue();
            }
        }
    }

    private static long lost(Fanout<Connection> fanout) {
        return fanout.status().children().stream().mapToLong(Status.Child::lost).sum();
    }

    private static long removeAll(Retention retention, Lease lease, StreamPartition at, int limit) {
        Retention.Batch batch = retention.remove(lease, at, 0, retention.now().plus(Duration.ofHours(1)), limit);
        return batch.records();
    }

    /** A resource of its own, so that the engine's own janitor is not in the way. */
    private static Lease steal(PostgresStore store) {
        store.open(new Declaration(List.of(), List.of(), Shop.CODEC, Settings.defaults()));
        long node = store.leases().join("janitor", Set.of());
        return store.leases().take("retention-of-the-test", 0, node).orElseThrow();
    }

    private static StreamPartition at(PostgresStore store) {
        Survey survey = store.leases().survey();
        return survey.heads().keySet().iterator().next();
    }
}
