// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.children;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Append;
import dev.fanout.AppendRefusedException;
import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.Filter;
import dev.fanout.Outcome;
import dev.fanout.Settings;
import dev.fanout.StartRefusedException;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams that hang on streams, on a real database. */
@FanoutTest
class ChildStreamsTest {

    private static final Settings NO_POLL = Engines.BRISK.pollInterval(Duration.ofHours(1));

    private final TestDatabase database;
    private final Queue<Event> told = new ConcurrentLinkedQueue<>();
    private final Queue<Event> retold = new ConcurrentLinkedQueue<>();
    private HikariDataSource pool;

    ChildStreamsTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void fresh() {
        database.execute("drop schema if exists fanout cascade");
        pool = database.pool(4);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void key_identity_version_and_times_are_those_of_the_origin() throws Exception {
        try (Fanout<Connection> fanout = engine(Engines.BRISK)) {
            fanout.start();
            Appended appended = fanout.inTransaction(tx -> fanout.append(
                    tx,
                    Append.to("asset", "1")
                            .eventJson("asset.made", "{\"n\": 1}")
                            .deleted()
                            .header("trace", "abc")));
            assertThat(fanout.awaitApplied("retry-table", appended, Engines.PATIENCE))
                    .isEqualTo(Applied.APPLIED);
            assertThat(fanout.awaitApplied("table", appended, Engines.PATIENCE)).isEqualTo(Applied.APPLIED);
        }
        assertThat(retold).hasSize(2).containsExactlyElementsOf(told);
    }

    @Test
    void what_is_published_on_does_not_wait_for_the_poll_here_or_on_another_node() throws Exception {
        try (Fanout<Connection> one = engine(NO_POLL);
                Fanout<Connection> other = engine(NO_POLL)) {
            one.start();
            other.start();
            for (int i = 0; i < 10; i++) {
                Fanout<Connection> by = i % 2 == 0 ? one : other;
                Appended appended =
                        by.inTransaction(tx -> by.append(tx, Engines.renamed("asset-" + System.nanoTime())));
                assertThat(by.awaitApplied("retry-table", appended, Duration.ofSeconds(30)))
                        .isEqualTo(Applied.APPLIED);
            }
        }
    }

    @Test
    void a_partition_that_cannot_be_written_stalls_and_goes_on_where_it_was() throws Exception {
        try (Fanout<Connection> fanout = engine(Engines.BRISK)) {
            database.execute("create function refuse() returns trigger language plpgsql as $$ begin"
                    + " raise exception 'this partition is broken'; end $$;"
                    + " create trigger refuse before insert on fanout.outbox for each row when (new.partition = 2 and"
                    + " new.stream = (" + streamNo("retries") + ")) execute function refuse()");
            fanout.start();
            for (int i = 0; i < 60; i++) {
                Engines.append(fanout, "asset-" + i % 20);
            }
            await().atMost(Engines.PATIENCE).until(() -> told.size() == 60);
            assertThat(database.number("select count(*) from fanout.log where stream = " + streamNo("retries")
                            + " and partition = 2"))
                    .isZero();

            database.execute("drop trigger refuse on fanout.outbox; drop function refuse()");
            await().atMost(Engines.PATIENCE).until(() -> retold.size() == 60);
            await().atMost(Engines.PATIENCE).until(() -> fanout.status().isDrained());
        }
        assertThat(retold).hasSize(60).containsExactlyInAnyOrderElementsOf(told);
        assertThat(database.number(
                        "select count(distinct partition) from fanout.log where stream = " + streamNo("retries")))
                .isEqualTo(3);
    }

    @Test
    void what_others_declared_is_known_to_a_process_that_opens_later() throws Exception {
        try (Fanout<Connection> first = engine(Engines.BRISK);
                Fanout<Connection> host = Fanout.builder(PostgresStore.of(pool)).stream(
                                "retries", stream -> stream.partitions(3))
                        .build()) {
            assertThatThrownBy(() -> host.inTransaction(
                            tx -> host.append(tx, Engines.renamed("1").publish("retries"))))
                    .isInstanceOf(AppendRefusedException.class)
                    .hasMessageContainingAll("'retries'", "child of stream 'assets'");
            assertThatThrownBy(() -> Engines.on(pool, 2).stream("other", stream -> stream).stream(
                                    "retries", stream -> stream.partitions(3))
                            .child("second", child -> child.of("other").stream("retries"))
                            .build())
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContainingAll("'retries'", "'assets'", "'second'");
            assertThatThrownBy(() ->
                            Fanout.builder(PostgresStore.of(pool)).stream("retries", stream -> stream.partitions(3))
                                    .stream(
                                            "assets",
                                            stream -> stream.entities("asset").partitions(2))
                                    .child("back", child -> child.of("retries").stream("assets"))
                                    .build())
                    .isInstanceOf(StartRefusedException.class);
            assertThat(database.number("select count(*) from fanout.attachment where child in ('second', 'back')"))
                    .isZero();
            first.start();
        }
    }

    @Test
    void the_filter_is_stored_with_the_child() throws Exception {
        Filter filter = Filter.type("asset.*").where("payload.owner.name").in("x", 1);
        try (Fanout<Connection> fanout = Engines.on(pool)
                .child(
                        "filtered",
                        child -> child.of(Engines.STREAM).filter(filter).projection(event -> Outcome.applied()))
                .build()) {
            fanout.start();
            assertThat(Filter.parse(database.column("select declared ->> 'filter' from fanout.attachment")
                            .get(0)))
                    .isEqualTo(filter);
        }
        Engines.on(pool)
                .filter("picky", event -> true)
                .child(
                        "filtered",
                        child -> child.of(Engines.STREAM).filter("picky").projection(event -> Outcome.applied()))
                .build()
                .close();
        assertThat(database.column("select declared ->> 'filter' from fanout.attachment"))
                .containsExactly("\"picky\"");
    }

    private Fanout<Connection> engine(Settings settings) {
        return Engines.on(pool, 2).settings(settings).stream("retries", stream -> stream.partitions(3))
                .child(
                        "table",
                        child -> child.of(Engines.STREAM).projection(event -> {
                            told.add(event);
                            return Outcome.applied();
                        }))
                .child("to-retries", child -> child.of(Engines.STREAM).stream("retries"))
                .child(
                        "retry-table",
                        child -> child.of("retries").projection(event -> {
                            retold.add(event);
                            return Outcome.applied();
                        }))
                .build();
    }

    private long streamNo(String stream) {
        return database.number("select no from fanout.stream where name = '" + stream + "'");
    }
}
