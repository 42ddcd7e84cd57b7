// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kills;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Fanout;
import dev.fanout.postgres.tests.kills.AppendStages.Stage;
import dev.fanout.postgres.tests.kit.Books;
import dev.fanout.postgres.tests.kit.Diary;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.ChildJvm;
import dev.fanout.testkit.EmbeddedPostgres;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Property P1 by its negation: the process or the server is killed between any two statements of an append. */
class AppendKilledTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static EmbeddedPostgres server;
    private static TestDatabase database;

    private String asset;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().durable().start();
        database = server.createDatabase();
        database.execute(Whole.TABLE);
        Engines.on(database.dataSource()).build().close();
    }

    /** Whatever the kills left, what was committed is delivered and nothing else. */
    @AfterAll
    static void what_was_committed_is_delivered() {
        try {
            assertDelivered();
        } finally {
            database.close();
            server.close();
        }
    }

    private static void assertDelivered() {
        Diary diary = new Diary();
        Fanout<Connection> fanout = Engines.started(database.dataSource(), diary);
        new Books(database).awaitDrained();
        fanout.close();
        diary.assertToldOnceInOrder();
        assertThat(diary.lines().stream().map(Diary.Line::asset))
                .containsExactlyInAnyOrderElementsOf(database.column("select id from asset"));
        new Books(database).assertBalanced();
    }

    @ParameterizedTest
    @EnumSource(Stage.class)
    void the_process_is_killed_within_an_append(Stage stage) throws Exception {
        asset = "process-" + stage;
        try (AppendStages still = AppendStages.standStill(database, stage);
                ChildJvm process = appender()) {
            if (stage == Stage.IN_THE_COMMIT) {
                process.awaitLine("appended", LIMIT);
                process.send("commit");
            }
            still.awaitStill();
            process.kill();
            still.release();
        }
        // a COMMIT that the server has received is carried out, though nobody hears of it
        assertThat(Whole.of(database, asset)).isEqualTo(stage == Stage.IN_THE_COMMIT ? Whole.ALL : Whole.NONE);
    }

    @Test
    void the_process_is_killed_between_append_and_commit() {
        asset = "process-uncommitted";
        try (ChildJvm process = appender()) {
            process.awaitLine("appended", LIMIT);
            process.kill();
        }
        assertThat(Whole.of(database, asset)).isEqualTo(Whole.NONE);
    }

    @Test
    void the_process_is_killed_after_the_commit() {
        asset = "process-committed";
        try (ChildJvm process = appender()) {
            process.awaitLine("appended", LIMIT);
            process.send("commit");
            process.awaitLine("committed", LIMIT);
            process.kill();
        }
        assertThat(Whole.of(database, asset)).isEqualTo(Whole.ALL);
    }

    @ParameterizedTest
    @EnumSource(Stage.class)
    void the_server_is_killed_within_an_append(Stage stage) throws Exception {
        asset = "server-" + stage;
        try (AppendStages still = AppendStages.standStill(database, stage)) {
            CompletableFuture<Void> append = inBackground(() -> AppenderProcess.write(source(), asset, () -> {}));
            still.awaitStill();
            server.kill();
            Assertions.assertThatThrownBy(() -> append.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class);
            server.restart();
        }
        assertThat(Whole.of(database, asset)).isEqualTo(Whole.NONE);
    }

    @Test
    void the_server_is_killed_between_append_and_commit() throws Exception {
        asset = "server-uncommitted";
        CountDownLatch killed = new CountDownLatch(1);
        CountDownLatch appended = new CountDownLatch(1);
        CompletableFuture<Void> append = inBackground(() -> AppenderProcess.write(source(), asset, () -> {
            appended.countDown();
            await(killed);
        }));
        await(appended);
        server.kill();
        killed.countDown();
        Assertions.assertThatThrownBy(() -> append.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class);
        server.restart();

        assertThat(Whole.of(database, asset)).isEqualTo(Whole.NONE);
    }

    @Test
    void the_server_is_killed_after_an_acknowledged_commit() throws Exception {
        asset = "server-committed";
        AppenderProcess.write(source(), asset, () -> {});
        server.kill();
        server.restart();

        assertThat(Whole.of(database, asset)).isEqualTo(Whole.ALL);
    }

    @Test
    void a_write_by_hand_without_a_transaction_is_caught_by_the_same_look() throws Exception {
        asset = "by-hand";
        try (AppendStages still = AppendStages.standStill(database, Stage.AFTER_THE_EVENT)) {
            CompletableFuture<Void> append = inBackground(() -> writeWithoutTransaction(source().getConnection()));
            still.awaitStill();
            server.kill();
            Assertions.assertThatThrownBy(() -> append.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class);
            server.restart();
        }
        assertThat(Whole.of(database, asset)).isEqualTo(Whole.PART);
        database.execute("delete from asset where id = 'by-hand'");
        database.execute("delete from fanout.entity where id = 'by-hand'");
    }

    private void writeWithoutTransaction(Connection connection) throws SQLException {
        try (connection;
                Statement statement = connection.createStatement()) {
            AppenderProcess.insert(connection, asset);
            statement.execute("insert into fanout.entity (version, deleted, tenant, type, id)"
                    + " values (1, false, 'default', 'asset', 'by-hand')");
            statement.execute("insert into fanout.event (entity_no, version, id, size, deleted, type, streams, payload)"
                    + " select no, 1, gen_random_uuid(), 2, false, 'asset.renamed', '{1}', '{}' from fanout.entity"
                    + " where id = 'by-hand'");
        }
    }

    private ChildJvm appender() {
        return ChildJvm.running(AppenderProcess.class)
                .options("-Xmx64m", "-XX:TieredStopAtLevel=1")
                .arguments(database.jdbcUrl(), database.user(), asset)
                .start();
    }

    private static PGSimpleDataSource source() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.jdbcUrl());
        source.setUser(database.user());
        return source;
    }

    private interface Work {
        void run() throws Exception;
    }

    private static CompletableFuture<Void> inBackground(Work work) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        work.run();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                task -> new Thread(task, "appender").start());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
