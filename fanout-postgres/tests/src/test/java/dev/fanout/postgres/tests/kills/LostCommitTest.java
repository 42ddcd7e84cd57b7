// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kills;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Fanout;
import dev.fanout.Settings;
import dev.fanout.postgres.tests.kit.Books;
import dev.fanout.postgres.tests.kit.Diary;
import dev.fanout.postgres.tests.kit.Ears;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.EmbeddedPostgres;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Scar 47: a publication committed asynchronously is lost in a crash of the server while the relay's memory goes on; v2
 * was published before v1. Whoever would write the log to disk meanwhile is stopped, so that the commit is surely lost.
 */
class LostCommitTest {

    /** Nothing of the engine's own commits synchronously or looks by itself while the test runs. */
    private static final Settings SILENT = Settings.defaults()
            .pollInterval(Duration.ofHours(1))
            .leaseLength(Duration.ofHours(1))
            .heartbeatInterval(Duration.ofMinutes(10));

    private final EmbeddedPostgres server =
            EmbeddedPostgres.builder().durable().set("autovacuum", "off").start();
    private final TestDatabase database = server.createDatabase();
    private final Diary diary = new Diary();
    private final Ears ears = new Ears();
    private HikariDataSource pool;
    private Fanout<Connection> fanout;

    @BeforeEach
    void start() {
        database.execute(Applied.TABLE);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setMaximumPoolSize(4);
        pool = new HikariDataSource(config);
        fanout = Engines.on(pool)
                .settings(SILENT)
                .listener(ears)
                .child(
                        Engines.CHILD,
                        child -> child.of(Engines.STREAM).projection(diary).fromBeginning())
                .child(
                        "applied",
                        child -> child.of(Engines.STREAM)
                                .transactional(new Applied(event -> {}))
                                .fromBeginning())
                .build();
        fanout.start();
    }

    @AfterEach
    void stop() {
        fanout.close();
        pool.close();
        database.close();
        server.close();
    }

    @Test
    void a_publication_lost_in_a_crash_is_made_again_before_anything_newer() {
        Engines.append(fanout, "x");
        awaitApplied(1);
        stopWritersOfTheLog();
        Engines.append(fanout, "x");
        awaitApplied(2);
        server.kill();
        server.restart();
        assertThat(database.number("select count(*) from fanout.log"))
                .as("records left of the two published: the second was lost")
                .isEqualTo(1);

        Engines.again(fanout, tx -> Engines.append(fanout, tx, "x"));

        diary.awaitLine("x", 3);
        awaitApplied(3);
        new Books(database).awaitDrained();
        new Books(database).assertBalanced();
        assertThat(ears.reloaded).as("counted").contains("lane/0");
        assertThat(database.column("select version from applied order by no")).containsExactly("1", "2", "3");
        assertThat(diary.versions("x"))
                .containsSubsequence(1L, 2L, 3L)
                .startsWith(1L, 2L)
                .endsWith(3L);
    }

    private void awaitApplied(int rows) {
        diary.awaitLine("x", rows);
        Awaitility.await()
                .atMost(Engines.PATIENCE)
                .until(() -> database.number("select count(*) from applied") == rows);
    }

    private void stopWritersOfTheLog() {
        for (String pid : database.column("select pid from pg_stat_activity"
                + " where backend_type in ('walwriter', 'background writer', 'checkpointer')")) {
            server.pause(Long.parseLong(pid));
        }
    }
}
