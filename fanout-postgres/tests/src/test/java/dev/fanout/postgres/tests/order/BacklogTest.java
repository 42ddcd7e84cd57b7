// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.order;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Append;
import dev.fanout.Fanout;
import dev.fanout.postgres.tests.kit.Books;
import dev.fanout.postgres.tests.kit.Diary;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scar 4: rows at the boundary of a page were lost, and paging over equal timestamps ended early. */
@FanoutTest
class BacklogTest {

    private static final int PAGE = 100;

    private final TestDatabase database;

    BacklogTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void fresh() {
        database.execute("drop schema if exists fanout cascade");
    }

    @ParameterizedTest
    @ValueSource(ints = {3 * PAGE - 1, 3 * PAGE, 3 * PAGE + 1, 5_000})
    void a_backlog_of_one_instant_is_delivered_whole_whatever_its_pages(int rows) throws Exception {
        Diary diary = new Diary();
        try (HikariDataSource pool = database.pool(4)) {
            appendAll(pool, rows);
            database.execute("update fanout.event set occurred_at = timestamptz '2026-11-30 12:00:00+00'");

            try (Fanout<Connection> fanout = Engines.started(pool, diary, Engines.BRISK.slabRecords(PAGE))) {
                diary.awaitSize(rows);
                new Books(database).awaitDrained();
                assertThat(fanout.status().isDrained()).isTrue();
            }
        }
        diary.assertToldOnceInOrder();
        assertThat(diary.size()).isEqualTo(rows);
        new Books(database).assertBalanced();
    }

    /** In one transaction, by an application that only appends; ten assets, so that each occurs in every page. */
    private static void appendAll(HikariDataSource pool, int rows) throws Exception {
        try (Fanout<Connection> appender = Engines.on(pool).build()) {
            List<Append> all = IntStream.range(0, rows)
                    .mapToObj(i -> Engines.renamed("asset-" + i % 10))
                    .toList();
            appender.inTransaction(tx -> appender.append(tx, all));
        }
    }
}
