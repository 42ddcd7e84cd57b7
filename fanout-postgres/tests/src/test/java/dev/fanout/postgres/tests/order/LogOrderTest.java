// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.order;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Append;
import dev.fanout.Fanout;
import dev.fanout.postgres.tests.kit.Books;
import dev.fanout.postgres.tests.kit.Diary;
import dev.fanout.postgres.tests.kit.Ears;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scars 1, 2, 3, 5, 9, 48 and 51: whoever else has a transaction open. */
@FanoutTest
class LogOrderTest {

    private final TestDatabase database;
    private final Books books;
    private final Ears ears = new Ears();
    private final Diary diary = new Diary();
    private HikariDataSource pool;
    private Fanout<Connection> fanout;

    LogOrderTest(TestDatabase database) {
        this.database = database;
        this.books = new Books(database);
    }

    @BeforeEach
    void start() {
        database.execute("drop schema if exists fanout cascade");
        pool = database.pool(4);
        fanout = start(diary);
    }

    @AfterEach
    void stop() {
        fanout.close();
        pool.close();
    }

    private Fanout<Connection> start(Diary told) {
        Fanout<Connection> engine = Engines.on(pool)
                .listener(ears)
                .child(
                        Engines.CHILD,
                        child -> child.of(Engines.STREAM).projection(told).fromBeginning())
                .build();
        engine.start();
        return engine;
    }

    @Test
    void an_old_transaction_that_writes_the_newest_version_is_read_last_though_an_older_writer_is_open()
            throws Exception {
        try (Connection unrelated = Engines.writer(database.dataSource());
                Connection old = Engines.writer(database.dataSource())) {
            Engines.append(fanout, "x");
            Engines.append(fanout, "x");
            assertThat(Engines.append(fanout, old, "x")).isEqualTo(3);
            old.commit();

            diary.awaitSize(3);

            assertThat(diary.versions("x")).containsExactly(1L, 2L, 3L);
            unrelated.rollback();
        }
        books.assertBalanced();
    }

    @Test
    void a_writer_held_open_past_every_timeout_is_delivered_when_it_commits() throws Exception {
        try (Connection late = Engines.writer(database.dataSource())) {
            Engines.append(fanout, late, "late");
            int passes = ears.passes.get();
            // a pass every 100 ms: past the poll, the lease and every back-off of these settings, with readers going by
            for (int i = 1; i <= 40; i++) {
                Engines.append(fanout, "early");
                diary.awaitLine("early", i);
                int seen = passes + i;
                Awaitility.await().atMost(Engines.PATIENCE).until(() -> ears.passes.get() >= seen);
            }
            assertThat(diary.versions("late")).isEmpty();

            late.commit();

            diary.awaitLine("late", 1);
        }
        diary.assertToldOnceInOrder();
        books.assertBalanced();
    }

    @Test
    void a_new_leader_delivers_what_was_open_before_it_led() throws Exception {
        Diary second = new Diary();
        try (Connection late = Engines.writer(database.dataSource())) {
            Engines.append(fanout, late, "late");
            Engines.append(fanout, "early");
            diary.awaitLine("early", 1);
            fanout.close();
            fanout = start(second);
            Engines.append(fanout, "early");
            second.awaitLine("early", 2);

            late.commit();

            second.awaitLine("late", 1);
        }
        books.assertBalanced();
    }

    @Test
    void rows_of_a_large_transaction_are_delivered_though_smaller_ones_passed_it_by() throws Exception {
        try (Connection large = Engines.writer(database.dataSource())) {
            for (int i = 0; i < 500; i++) {
                Engines.append(fanout, large, "large-" + i);
                if (i % 25 == 0) {
                    Engines.append(fanout, "small");
                }
            }
            diary.awaitLine("small", 20);
            assertThat(diary.size()).isEqualTo(20);
            large.commit();
        }
        Engines.append(fanout, "small");

        diary.awaitSize(521);
        diary.assertToldOnceInOrder();
        books.assertBalanced();
    }

    @Test
    void five_thousand_appends_that_become_visible_below_the_mark_are_all_published() throws Exception {
        List<Append> many = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            many.add(Engines.renamed("many-" + i));
        }
        try (Connection large = Engines.writer(database.dataSource())) {
            fanout.append(large, many);
            Engines.append(fanout, "above");
            diary.awaitLine("above", 1);
            large.commit();
        }

        diary.awaitSize(5_001);
        diary.assertToldOnceInOrder();
        books.assertBalanced();
    }

    @Test
    void a_transaction_rolled_back_below_the_mark_delays_nothing() throws Exception {
        try (Connection undone = Engines.writer(database.dataSource())) {
            Engines.append(fanout, undone, "undone");
            Engines.append(fanout, "kept");
            undone.rollback();
        }
        Engines.append(fanout, "kept");

        diary.awaitLine("kept", 2);
        assertThat(diary.versions("undone")).isEmpty();
        books.assertBalanced();
    }

    @Test
    void an_open_writer_in_another_database_of_the_cluster_delays_nothing() throws Exception {
        try (TestDatabase other = database.server().createDatabase();
                Connection writer = Engines.writer(other.dataSource())) {
            for (int i = 1; i <= 10; i++) {
                Engines.append(fanout, "x");
                diary.awaitLine("x", i);
            }
            writer.rollback();
        }
        books.assertBalanced();
    }

    @Test
    void a_publication_sees_one_snapshot_and_skips_nothing_that_commits_while_it_runs() throws Exception {
        try (Connection late = Engines.writer(database.dataSource());
                Connection door = Engines.writer(database.dataSource());
                Connection row = Engines.writer(database.dataSource())) {
            Engines.append(fanout, late, "late");
            execute(door, "lock table fanout.log in share mode");
            Engines.append(fanout, "middle");
            execute(row, "select from fanout.outbox for update");
            door.commit();
            awaitPublicationThatWaitsForTheRow();
            late.commit();
            Engines.append(fanout, "last");
            row.commit();

            diary.awaitSize(3);
            assertThat(ears.published.get(0))
                    .as("rows seen before the late one committed")
                    .isEqualTo(1);
            assertThat(diary.lines().get(0).asset()).isEqualTo("middle");
        }
        diary.assertToldOnceInOrder();
        books.assertBalanced();
    }

    private static void execute(Connection tx, String sql) throws SQLException {
        try (Statement statement = tx.createStatement()) {
            statement.execute(sql);
        }
    }

    private void awaitPublicationThatWaitsForTheRow() {
        Awaitility.await()
                .atMost(Engines.PATIENCE)
                .until(() -> database.number("select count(*) from pg_stat_activity a join pg_locks l on l.pid = a.pid"
                                + " where a.datname = current_database() and a.query like '%fanout publish%'"
                                + " and l.locktype = 'transactionid' and not l.granted")
                        == 1);
    }
}
