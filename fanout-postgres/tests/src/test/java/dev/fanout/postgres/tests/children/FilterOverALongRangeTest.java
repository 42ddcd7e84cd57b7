// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.children;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Append;
import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.Filter;
import dev.fanout.Outcome;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Scar 34: a filter that matched nothing for a long range never moved its cursor, every restart scanned it again, and the lag
 * was never 0. How long is a system property: {@code -Dfanout.filtered=500000} for the whole of it.
 */
@FanoutTest
class FilterOverALongRangeTest {

    private static final int RECORDS = Integer.getInteger("fanout.filtered", 50_000);
    private static final int BATCH = 2_500;

    private final TestDatabase database;
    private final AtomicLong examined = new AtomicLong();
    private final AtomicLong delivered = new AtomicLong();

    FilterOverALongRangeTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void fresh() {
        database.execute("drop schema if exists fanout cascade");
    }

    @Test
    void a_filter_that_matches_nothing_survives_a_restart_without_a_rescan_and_shows_no_lag() throws Exception {
        try (HikariDataSource pool = database.pool(4)) {
            Appended last = fill(pool);
            try (Fanout<Connection> fanout = engine(pool)) {
                fanout.start();
                awaitExaminedAll(fanout);
                assertThat(examined).hasValue(RECORDS);
                assertThat(fanout.awaitApplied("by-words", last, Duration.ZERO)).isEqualTo(Applied.FILTERED);
                assertThat(fanout.awaitApplied("by-function", last, Duration.ZERO))
                        .isEqualTo(Applied.FILTERED);
            }
            examined.set(0);

            try (Fanout<Connection> again = engine(pool)) {
                again.start();
                Appended wanted = again.inTransaction(tx ->
                        again.append(tx, Append.to("asset", "wanted").eventJson("order.paid", "{\"lang\": \"java\"}")));
                assertThat(again.awaitApplied("by-words", wanted, Engines.PATIENCE))
                        .isEqualTo(Applied.APPLIED);
                assertThat(again.awaitApplied("by-function", wanted, Engines.PATIENCE))
                        .isEqualTo(Applied.APPLIED);
                assertThat(again.status().isDrained()).isTrue();
            }
        }
        assertThat(examined)
                .as("examined after the restart, by the cursor and for who waits")
                .hasValueLessThan(5);
        assertThat(delivered).hasValue(2);
    }

    @Test
    void a_node_that_does_not_run_the_child_says_truthfully_that_it_gets_nothing() throws Exception {
        try (HikariDataSource pool = database.pool(4);
                Fanout<Connection> runner = engine(pool);
                Fanout<Connection> host = engine(pool)) {
            runner.start();
            Appended out = host.inTransaction(
                    tx -> host.append(tx, Append.to("asset", "1").eventJson("order.paid", "{\"lang\": \"scala\"}")));
            Appended in = host.inTransaction(
                    tx -> host.append(tx, Append.to("asset", "2").eventJson("order.paid", "{\"lang\": \"java\"}")));

            assertThat(host.awaitApplied("by-words", out, Engines.PATIENCE)).isEqualTo(Applied.FILTERED);
            assertThat(host.awaitApplied("by-words", in, Engines.PATIENCE)).isEqualTo(Applied.APPLIED);
        }
    }

    private void awaitExaminedAll(Fanout<Connection> fanout) {
        await().atMost(Duration.ofMinutes(5)).until(() -> fanout.status().isDrained());
        assertThat(fanout.status().children()).allSatisfy(child -> {
            assertThat(child.pending()).as("lag of %s", child.child()).isZero();
            assertThat(child.filtered()).isEqualTo(RECORDS);
            assertThat(child.position()).isEqualTo(child.head());
        });
    }

    private Fanout<Connection> engine(HikariDataSource pool) {
        return Engines.on(pool)
                .filter("lang-is-java", this::isJava)
                .child(
                        "by-words",
                        child -> child.of(Engines.STREAM)
                                .fromBeginning()
                                .filter(Filter.type("order.*")
                                        .where("payload.lang")
                                        .equalTo("java"))
                                .projection(event -> deliver()))
                .child(
                        "by-function",
                        child -> child.of(Engines.STREAM)
                                .fromBeginning()
                                .filter("lang-is-java")
                                .projection(event -> deliver()))
                .build();
    }

    private boolean isJava(Event event) {
        examined.incrementAndGet();
        return event.payload().json().contains("\"java\"");
    }

    private Outcome deliver() {
        delivered.incrementAndGet();
        return Outcome.applied();
    }

    private static Appended fill(HikariDataSource pool) throws Exception {
        Appended last = null;
        try (Fanout<Connection> appender = Engines.on(pool).build()) {
            for (int done = 0; done < RECORDS; done += BATCH) {
                int begin = done;
                List<Append> batch = IntStream.range(0, BATCH)
                        .mapToObj(i -> Append.to("asset", "asset-" + (begin + i) % 10_000)
                                .eventJson("order.made", "{\"lang\": \"scala\"}"))
                        .toList();
                List<Appended> appended = appender.inTransaction(tx -> appender.append(tx, batch));
                last = appended.get(appended.size() - 1);
            }
        }
        return Objects.requireNonNull(last);
    }
}
