// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fanout.Fanout;
import dev.fanout.Outcome;
import dev.fanout.Settings;
import dev.fanout.postgres.internal.Database;
import dev.fanout.postgres.internal.DirectConnections;
import dev.fanout.postgres.internal.PostgresWakes;
import dev.fanout.postgres.internal.SchemaName;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.Drained;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A whole engine with the poll set to one hour, and appends from another process's engine: what is delivered was woken, and
 * each notification is counted. One at rest, almost none under load.
 */
@FanoutTest
class WakesCountedTest {

    private static final Settings NO_POLL = Engines.BRISK.pollInterval(Duration.ofHours(1));

    private final TestDatabase database;
    private final Heard heard = new Heard();
    private PostgresWakes counter;
    private Fanout<Connection> engine;
    private Fanout<Connection> host;

    WakesCountedTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void start() {
        engine = Engines.started(database.pool(4), event -> Outcome.applied(), NO_POLL);
        host = Engines.on(database.pool(4)).build();
        DirectConnections direct = DirectConnections.of(database.dataSource(), database.dataSource());
        counter = new PostgresWakes(
                new Database(new SchemaName("fanout"), database.dataSource(), direct), () -> Set.of(0));
        counter.listen(heard);
        heard.awaitConnected(1);
        Engines.append(host, "first");
        Drained.await(engine, Engines.PATIENCE);
    }

    @AfterEach
    void close() {
        counter.stop();
        host.close();
        engine.close();
    }

    @Test
    void at_rest_one_append_is_one_notification_and_is_delivered() {
        awaitLaneFree();
        int before = heard.appended();
        Engines.append(host, "lone");
        Drained.await(engine, Engines.PATIENCE);
        heard.awaitAppended(before + 1);
        assertThat(heard.appended()).isEqualTo(before + 1);
    }

    @Test
    void under_load_almost_none_notifies_and_all_are_delivered() {
        int before = heard.appended();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int writer = 0; writer < 4; writer++) {
            String asset = "asset-" + writer;
            writers.add(CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 500; i++) {
                    Engines.append(host, asset);
                }
            }));
        }
        writers.forEach(CompletableFuture::join);
        Drained.await(engine, Engines.PATIENCE);
        assertThat(heard.appended() - before).isLessThan(100);
    }

    /** The relay has let go: whoever appends from now on notifies. */
    private void awaitLaneFree() {
        await().atMost(Engines.PATIENCE)
                .until(() -> database.number(
                                "select count(*) from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted"
                                        + " and database = (select oid from pg_database where datname = current_database())")
                        == 0);
    }
}
