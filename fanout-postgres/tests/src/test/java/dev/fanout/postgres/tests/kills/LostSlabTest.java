// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kills;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.Outcome;
import dev.fanout.Settings;
import dev.fanout.postgres.tests.kit.Books;
import dev.fanout.postgres.tests.kit.Diary;
import dev.fanout.postgres.tests.kit.Ears;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.EmbeddedPostgres;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A child delivers from memory what a crash of the server then takes from the log, and another event stands in its place when
 * the child wants to write its cursor: that one must not be skipped.
 */
class LostSlabTest {

    /** Nothing of the engine's own commits synchronously or looks by itself while the test runs. */
    private static final Settings SILENT = Settings.defaults()
            .pollInterval(Duration.ofHours(1))
            .leaseLength(Duration.ofHours(1))
            .heartbeatInterval(Duration.ofMinutes(10));

    private final EmbeddedPostgres server =
            EmbeddedPostgres.builder().durable().set("autovacuum", "off").start();
    private final TestDatabase database = server.createDatabase();
    private final HikariDataSource pool = pool(database);
    private final Diary diary = new Diary();
    private final Ears ears = new Ears();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final Fanout<Connection> fanout = Engines.on(pool)
            .settings(SILENT)
            .listener(ears)
            .child(
                    Engines.CHILD,
                    child -> child.of(Engines.STREAM)
                            .projection(this::applyWhenAllowed)
                            .fromBeginning())
            .build();

    @AfterEach
    void stop() {
        goOn.countDown();
        fanout.close();
        pool.close();
        database.close();
        server.close();
    }

    @Test
    void an_event_in_the_place_of_a_delivered_one_that_was_lost_is_not_skipped() throws Exception {
        fanout.start();
        Engines.append(fanout, "before");
        diary.awaitLine("before", 1);

        publishSlowWhileAnOlderIdCommits();
        assertThat(entered.await(Engines.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("the slow event is being delivered")
                .isTrue();
        server.kill();
        server.restart();
        assertThat(database.number("select count(*) from fanout.log"))
                .as("records left: the slow event's was lost")
                .isEqualTo(1);
        Engines.again(fanout, tx -> Engines.append(fanout, tx, "after"));
        awaitNumber("select count(*) from fanout.log", 4);
        assertThat(assetsInTheLog()).containsExactly("before", "older", "slow", "after");
        goOn.countDown();

        diary.awaitLine("after", 1);
        new Books(database).awaitDrained();
        new Books(database).assertBalanced();
        // a repeat is no fault of a plain projection whose memory was reloaded
        assertThat(diary.versions("older")).as("not skipped").isNotEmpty().containsOnly(1L);
        assertThat(ears.reloaded).as("counted").contains("lane/0", "child/search/0");
    }

    /** The publication has taken its snapshot and waits at its fence, when the older id is committed, and so on disk. */
    private void publishSlowWhileAnOlderIdCommits() throws Exception {
        try (Connection older = database.connect();
                Connection fence = database.connect();
                Statement statement = fence.createStatement()) {
            older.setAutoCommit(false);
            Engines.append(fanout, older, "older");
            fence.setAutoCommit(false);
            statement.execute("select from fanout.lease where resource = 'lane/0' for update");
            Engines.append(fanout, "slow");
            awaitNumber("select count(*) from pg_locks where not granted", 1);
            older.commit();
            stopWritersOfTheLog();
            fence.rollback();
        }
    }

    private Outcome applyWhenAllowed(Event event) throws InterruptedException {
        if (event.entity().id().equals("slow")) {
            entered.countDown();
            goOn.await();
        }
        return diary.apply(event);
    }

    private Iterable<String> assetsInTheLog() {
        return database.column("select n.id from fanout.log l join fanout.event e on e.seq = l.event_seq"
                + " join fanout.entity n on n.no = e.entity_no order by l.position");
    }

    private void awaitNumber(String query, long number) {
        Awaitility.await().atMost(Engines.PATIENCE).until(() -> database.number(query) == number);
    }

    private void stopWritersOfTheLog() {
        for (String pid : database.column("select pid from pg_stat_activity"
                + " where backend_type in ('walwriter', 'background writer', 'checkpointer')")) {
            server.pause(Long.parseLong(pid));
        }
    }

    private static HikariDataSource pool(TestDatabase database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setMaximumPoolSize(4);
        return new HikariDataSource(config);
    }
}
