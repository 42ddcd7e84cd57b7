// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.outage;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Fanout;
import dev.fanout.postgres.tests.kit.Books;
import dev.fanout.postgres.tests.kit.Diary;
import dev.fanout.postgres.tests.kit.Ears;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.EmbeddedPostgres;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scars 23 and 33: the engine waits, reconnects and drains; the host goes on, and hears of it once per change. */
class OutageTest {

    private static EmbeddedPostgres server;

    private TestDatabase database;
    private HikariDataSource pool;
    private final Diary diary = new Diary();
    private final Ears ears = new Ears();

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().durable().start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void fresh() {
        database = server.createDatabase();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setMaximumPoolSize(4);
        config.setConnectionTimeout(1_000);
        config.setInitializationFailTimeout(-1);
        pool = new HikariDataSource(config);
    }

    @AfterEach
    void drop() {
        pool.close();
        database.close();
    }

    private Fanout<Connection> engine() {
        Fanout<Connection> fanout = Engines.on(pool)
                .listener(ears)
                .child(
                        Engines.CHILD,
                        child -> child.of(Engines.STREAM).projection(diary).fromBeginning())
                .build();
        fanout.start();
        return fanout;
    }

    @Test
    void a_server_that_is_stopped_and_started_again_is_drained_and_each_change_is_told_once() {
        try (Fanout<Connection> fanout = engine()) {
            Engines.append(fanout, "x");
            diary.awaitLine("x", 1);
            server.stop();
            awaitAtLeast(ears.unavailable, 1);
            server.restart();
            awaitAtLeast(ears.available, 1);

            Engines.again(fanout, tx -> Engines.append(fanout, tx, "x"));
            diary.awaitLine("x", 2);
            new Books(database).awaitDrained();
        }
        assertThat(ears.unavailable).hasValue(1);
        assertThat(ears.available).hasValue(1);
        assertThat(ears.failures).as("the projection is not to blame").isEmpty();
        new Books(database).assertBalanced();
    }

    @Test
    void connections_that_are_ended_by_an_administrator_are_made_again() {
        try (Fanout<Connection> fanout = engine()) {
            for (int i = 1; i <= 3; i++) {
                Engines.again(fanout, tx -> Engines.append(fanout, tx, "x"));
                diary.awaitLine("x", i);
                database.terminateBackends();
            }
            Engines.again(fanout, tx -> Engines.append(fanout, tx, "x"));
            diary.awaitLine("x", 4);
            new Books(database).awaitDrained();
        }
        new Books(database).assertBalanced();
    }

    @Test
    void a_database_that_is_down_at_start_is_waited_for_and_the_host_starts() {
        try (Fanout<Connection> before = Engines.on(pool).build()) {
            Engines.append(before, "x");
        }
        server.stop();
        try (Fanout<Connection> fanout = engine()) {
            awaitAtLeast(ears.unavailable, 1);
            assertThat(diary.size()).isZero();
            server.restart();

            diary.awaitLine("x", 1);
            Engines.again(fanout, tx -> Engines.append(fanout, tx, "x"));
            diary.awaitLine("x", 2);
            assertThat(ears.unavailable).hasValue(1);
            assertThat(ears.available).hasValue(1);
        }
    }

    @Test
    void an_engine_is_closed_while_the_database_is_down() {
        Fanout<Connection> fanout = engine();
        Engines.append(fanout, "x");
        diary.awaitLine("x", 1);
        server.stop();
        awaitAtLeast(ears.unavailable, 1);

        assertThat(fanout.close(Engines.PATIENCE)).isTrue();
        server.restart();

        Diary next = new Diary();
        try (Fanout<Connection> again = Engines.started(pool, next)) {
            Engines.again(again, tx -> Engines.append(again, tx, "x"));
            next.awaitLine("x", 2);
        }
    }

    private static void awaitAtLeast(AtomicInteger count, int wanted) {
        Awaitility.await().atMost(Engines.PATIENCE).until(() -> count.get() >= wanted);
    }
}
