// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.throwable;

import dev.fanout.VersionConflictException;
import dev.fanout.postgres.SqlFailedException;
import dev.fanout.postgres.tests.Shop;
import dev.fanout.spi.Appends.EntityAppend;
import dev.fanout.spi.Appends.Result;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scars 38 and 49: races and refusals of ours never break the application's transaction. */
@FanoutTest
class AppendRacesTest {

    private final TestDatabase database;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Shop shop;

    AppendRacesTest(TestDatabase database) {
        this.database = database;
        this.shop = Shop.on(database.dataSource());
    }

    @BeforeEach
    void an_application_table() {
        database.execute("create table if not exists work (id text)");
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        shop.close();
    }

    @Test
    void two_transactions_that_create_one_entity_at_once_both_commit() throws Exception {
        try (Connection first = begin();
                Connection second = begin()) {
            long one = shop.append(first, "created", "asset.created");
            Future<Long> other = blocked(second, () -> shop.append(second, "created", "asset.created"));
            first.commit();

            assertThat(one).isEqualTo(1);
            assertThat(other.get()).isEqualTo(2);
            assertUsable(second);
        }
    }

    @Test
    void of_two_that_both_expect_an_absent_entity_the_second_gets_a_conflict_and_keeps_its_transaction()
            throws Exception {
        try (Connection first = begin();
                Connection second = begin()) {
            EntityAppend create = shop.asset("absent", OptionalLong.of(0), Optional.empty(), "asset.created");
            append(first, create);
            Future<Long> other = blocked(second, () -> Shop.written(append(second, create)));
            first.commit();

            assertThatThrownBy(other::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .asInstanceOf(throwable(VersionConflictException.class))
                    .satisfies(conflict -> assertThat(conflict.actual()).isEqualTo(1));
            assertUsable(second);
        }
    }

    @Test
    void two_appends_with_one_key_at_once_write_once_and_answer_alike() throws Exception {
        try (Connection first = begin();
                Connection second = begin()) {
            EntityAppend keyed =
                    shop.asset("keyed", OptionalLong.empty(), Optional.of("cmd-1"), "asset.created", "asset.renamed");
            append(first, keyed);
            Future<Result> other = blocked(second, () -> append(second, keyed));
            first.commit();

            assertThat(other.get())
                    .isEqualTo(new Result.Repeated(
                            List.of(
                                    new dev.fanout.Appended.Id(
                                            keyed.events().get(0).id(), 1),
                                    new dev.fanout.Appended.Id(
                                            keyed.events().get(1).id(), 2)),
                            Set.of(keyed.events().get(0).routes().get(0).stream())));
            assertUsable(second);
        }
    }

    @Test
    void a_conflict_tells_the_actual_version_and_leaves_the_transaction_usable() throws Exception {
        try (Connection tx = begin()) {
            shop.append(tx, "conflict", "asset.created", "asset.renamed");
            EntityAppend stale = shop.asset("conflict", OptionalLong.of(1), Optional.empty(), "asset.renamed");

            assertThatThrownBy(() -> append(tx, stale))
                    .isInstanceOf(VersionConflictException.class)
                    .hasMessageContaining("expected version 1, actual version 2");
            assertUsable(tx);
            assertThat(shop.append(tx, "conflict", "asset.renamed")).isEqualTo(3);
        }
    }

    @Test
    void expecting_a_version_of_an_absent_entity_does_not_create_it() throws Exception {
        try (Connection tx = begin()) {
            EntityAppend dreamt = shop.asset("dreamt", OptionalLong.of(7), Optional.empty(), "asset.renamed");

            assertThatThrownBy(() -> append(tx, dreamt))
                    .isInstanceOf(VersionConflictException.class)
                    .hasMessageContaining("actual version 0");
            tx.commit();
        }
        assertThat(shop.find("dreamt")).isEmpty();
    }

    @Test
    void of_two_that_expect_one_version_at_once_the_second_gets_a_conflict_and_writes_nothing() throws Exception {
        try (Connection first = begin();
                Connection second = begin()) {
            shop.append(first, "contended", "asset.created");
            first.commit();
            EntityAppend change = shop.asset("contended", OptionalLong.of(1), Optional.empty(), "asset.renamed");
            append(first, change);
            Future<Result> other = blocked(second, () -> append(second, change));
            first.commit();

            assertThatThrownBy(other::get)
                    .cause()
                    .asInstanceOf(throwable(VersionConflictException.class))
                    .satisfies(conflict -> assertThat(conflict.actual()).isEqualTo(2));
            second.commit();
        }
        assertThat(rowsOf("contended")).as("entity, events, outbox rows").containsExactly(1L, 2L, 2L);
    }

    @Test
    void a_refusal_leaves_nothing_written() throws Exception {
        try (Connection tx = begin()) {
            append(tx, sourced("refused", OptionalLong.empty(), 5));
            for (EntityAppend refused : List.of(
                    sourced("refused", OptionalLong.empty(), 5),
                    sourced("refused", OptionalLong.of(1), 4),
                    sourced("refused", OptionalLong.of(0), 6),
                    sourced("refused", OptionalLong.of(2), 6),
                    sourced("never", OptionalLong.of(7), 6))) {
                assertThatThrownBy(() -> append(tx, refused)).isInstanceOf(VersionConflictException.class);
            }
            tx.commit();
        }
        assertThat(rowsOf("refused")).as("entity, events, outbox rows").containsExactly(1L, 1L, 1L);
        assertThat(rowsOf("never")).containsExactly(0L, 0L, 0L);
    }

    @Test
    void the_usual_append_is_planned_a_few_times_and_then_no_more() throws Exception {
        try (Connection tx = begin()) {
            for (int i = 0; i < 30; i++) {
                shop.append(tx, "planned", "asset.renamed");
            }
            try (Statement statement = tx.createStatement();
                    ResultSet row = statement.executeQuery("select generic_plans, custom_plans"
                            + " from pg_prepared_statements where statement like '/* fanout append-one */%'")) {
                assertThat(row.next()).isTrue();
                assertThat(row.getLong(1)).as("by the plan kept").isGreaterThanOrEqualTo(20);
                assertThat(row.getLong(2)).as("planned").isLessThanOrEqualTo(5);
            }
        }
    }

    @Test
    void a_batch_may_name_one_entity_many_times() throws Exception {
        try (Connection tx = begin()) {
            List<Result> results = shop.store()
                    .appends()
                    .append(
                            tx,
                            List.of(
                                    shop.asset("many", "asset.created"),
                                    shop.asset("many", "asset.renamed", "asset.moved"),
                                    shop.asset("other", "asset.created")));
            tx.commit();

            assertThat(results).extracting(Shop::written).containsExactly(1L, 3L, 1L);
        }
        assertThat(database.column("select v.type from fanout.outbox o join fanout.event v on v.seq = o.event_seq"
                        + " join fanout.entity e on e.no = v.entity_no where e.id = 'many' order by o.id"))
                .as("outbox order is version order")
                .containsExactly("asset.created", "asset.renamed", "asset.moved");
    }

    @Test
    void a_batch_with_one_conflict_writes_nothing() throws Exception {
        try (Connection tx = begin()) {
            List<EntityAppend> batch = List.of(
                    shop.asset("batch-a", "asset.created"),
                    shop.asset("batch-b", OptionalLong.of(3), Optional.empty(), "asset.renamed"));

            assertThatThrownBy(() -> shop.store().appends().append(tx, batch))
                    .isInstanceOf(VersionConflictException.class)
                    .hasMessageContaining("batch-b");
            assertUsable(tx);
            tx.commit();
        }
        assertThat(shop.find("batch-a")).isEmpty();
    }

    @Test
    void batches_that_name_the_same_entities_do_not_deadlock() throws Exception {
        List<Callable<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(() -> {
                for (int round = 0; round < 20; round++) {
                    try (Connection tx = begin()) {
                        shop.store()
                                .appends()
                                .append(
                                        tx,
                                        List.of(
                                                shop.asset("dead-1", "asset.renamed"),
                                                shop.asset("dead-2", "asset.renamed"),
                                                shop.asset("dead-3", "asset.renamed")));
                        tx.commit();
                    }
                }
                return true;
            });
        }
        for (Future<Boolean> each : threads.invokeAll(all)) {
            assertThat(each.get()).isTrue();
        }
        assertThat(shop.version("dead-2")).isEqualTo(160);
    }

    @Test
    void a_savepoint_rolled_back_takes_its_append_with_it() throws Exception {
        try (Connection tx = begin()) {
            shop.append(tx, "saved", "asset.created");
            java.sql.Savepoint before = tx.setSavepoint();
            shop.append(tx, "saved", "asset.renamed");
            tx.rollback(before);
            assertThat(shop.append(tx, "saved", "asset.moved")).isEqualTo(2);
            tx.commit();
        }
        assertThat(database.column("select v.type from fanout.event v join fanout.entity e on e.no = v.entity_no"
                        + " where e.id = 'saved' order by v.version"))
                .containsExactly("asset.created", "asset.moved");
    }

    @Test
    void a_serialization_failure_reaches_the_caller_with_its_sql_state() throws Exception {
        for (int isolation : new int[] {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE}) {
            String id = "serial-" + isolation;
            try (Connection late = begin()) {
                late.setTransactionIsolation(isolation);
                assertUsable(late); // takes its snapshot
                try (Connection tx = begin()) {
                    shop.append(tx, id, "asset.created");
                    tx.commit();
                }
                assertThatThrownBy(() -> shop.append(late, id, "asset.renamed"))
                        .asInstanceOf(throwable(SqlFailedException.class))
                        .satisfies(failure -> {
                            assertThat(failure.sqlState()).isEqualTo("40001");
                            assertThat(failure.retryable()).isTrue();
                            assertThat(failure).hasCauseInstanceOf(SQLException.class);
                        });
            }
            try (Connection tx = begin()) {
                tx.setTransactionIsolation(isolation);
                assertThat(shop.append(tx, id, "asset.renamed")).isEqualTo(2);
                tx.commit();
            }
        }
    }

    @Test
    void a_wake_carries_nothing_of_the_user_so_that_no_payload_is_too_large_for_it() throws Exception {
        String large = "{\"text\": \"" + "x".repeat(100_000) + "\"}";
        try (Connection tx = begin()) {
            EntityAppend append = new EntityAppend(
                    dev.fanout.EntityRef.of("asset", "large"),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    Optional.of(large),
                    List.of(shop.event("asset.created", large)),
                    Optional.empty());

            assertThat(Shop.written(append(tx, append))).isEqualTo(1);
            tx.commit();
        }
        assertThat(database.number("select size from fanout.event v join fanout.entity e on e.no = v.entity_no"
                        + " where e.id = 'large'"))
                .isEqualTo(large.length());
    }

    private EntityAppend sourced(String id, OptionalLong expecting, long sourceVersion) {
        EntityAppend plain = shop.asset(id, expecting, Optional.empty(), "asset.renamed");
        return new EntityAppend(
                plain.entity(), expecting, OptionalLong.of(sourceVersion), plain.state(), plain.events(), plain.key());
    }

    private List<Long> rowsOf(String id) throws SQLException {
        String events = "fanout.event v where v.entity_no in (select e.no from fanout.entity e where e.id = ?)";
        return List.of(
                database.number("select count(*) from fanout.entity where id = ?", id),
                database.number("select count(*) from " + events, id),
                database.number(
                        "select count(*) from fanout.outbox where event_seq in (select v.seq from " + events + ")",
                        id));
    }

    private Result append(Connection tx, EntityAppend append) {
        return shop.store().appends().append(tx, List.of(append)).get(0);
    }

    private Connection begin() throws SQLException {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        return connection;
    }

    /** Runs work on another thread, and returns once the server says that it waits for a lock. */
    private <R> Future<R> blocked(Connection connection, Callable<R> work) throws SQLException {
        int pid = connection.unwrap(org.postgresql.PGConnection.class).getBackendPID();
        CompletableFuture<R> result = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                result.complete(work.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> database.number(
                                "select count(*) from pg_stat_activity where pid = ? and wait_event_type = 'Lock'", pid)
                        == 1);
        return result;
    }

    private static void assertUsable(Connection tx) throws SQLException {
        try (Statement statement = tx.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from work")) {
            assertThat(row.next()).isTrue();
        }
    }
}
