// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresTest {

    private static final String SUCCESS = "00000";

    private static final EmbeddedPostgres SERVER =
            EmbeddedPostgres.builder().durable().start();

    @BeforeEach
    void runs() {
        if (!SERVER.isRunning()) {
            SERVER.restart();
        }
    }

    @AfterAll
    static void close() {
        SERVER.close();
    }

    @Test
    void acknowledged_rows_survive_a_kill_and_the_port_stays() {
        try (TestDatabase database = SERVER.createDatabase()) {
            int port = SERVER.port();
            long pid = SERVER.pid();
            database.execute("CREATE TABLE t (n int)");
            database.execute("INSERT INTO t SELECT generate_series(1, 1000)");

            SERVER.kill();
            assertThat(SERVER.isRunning()).isFalse();
            assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
            SERVER.restart();

            assertThat(SERVER.port()).isEqualTo(port);
            assertThat(SERVER.pid()).isNotEqualTo(pid);
            assertThat(SERVER.log()).contains("automatic recovery in progress");
            assertThat(database.number("SELECT count(*) FROM t")).isEqualTo(1000);
        }
    }

    @Test
    void a_kill_ends_backends_in_the_middle_of_a_statement() throws Exception {
        try (Connection connection = SERVER.connect("postgres")) {
            CompletableFuture<String> failure = inBackground(connection, "SELECT pg_sleep(60)");
            awaitActive("SELECT pg_sleep(60)");

            SERVER.kill();

            assertThat(failure.get(10, TimeUnit.SECONDS)).isIn("08006", "57P01");
        }
    }

    @Test
    void a_stop_is_in_order_and_needs_no_recovery() {
        SERVER.stop();
        assertThat(SERVER.log()).contains("database system is shut down");
        SERVER.restart();
        assertThat(SERVER.log()).doesNotContain("automatic recovery in progress");
    }

    @Test
    void a_paused_backend_is_silent_until_it_is_resumed() throws Exception {
        try (Connection connection = SERVER.connect("postgres")) {
            int pid = backendOf(connection);
            SERVER.pause(pid);
            CompletableFuture<String> answer = inBackground(connection, "SELECT 1");
            awaitStandstill(pid);
            assertThat(answer).isNotDone();

            SERVER.resume(pid);
            assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo(SUCCESS);
        }
    }

    @Test
    void a_paused_server_answers_nobody_until_it_is_resumed() throws Exception {
        try (Connection connection = SERVER.connect("postgres")) {
            SERVER.pause();
            CompletableFuture<String> answer = inBackground(connection, "SELECT 1");
            awaitStandstill(SERVER.pid());
            assertThat(answer).isNotDone();

            SERVER.resume();
            assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo(SUCCESS);
        }
    }

    @Test
    void a_process_of_somebody_else_is_not_paused() {
        long self = ProcessHandle.current().pid();
        assertThatThrownBy(() -> SERVER.pause(self))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Long.toString(self));
    }

    @Test
    void terminated_backends_are_counted_and_gone() throws Exception {
        try (TestDatabase database = SERVER.createDatabase();
                Connection one = database.connect();
                Connection two = database.connect()) {
            assertThat(database.backends()).extracting(Backend::pid).containsExactly(backendOf(one), backendOf(two));
            assertThat(database.terminateBackends()).isEqualTo(2);
            assertThat(database.backends()).isEmpty();
        }
    }

    @Test
    void durable_means_that_commits_are_on_disk() {
        try (TestDatabase database = SERVER.createDatabase()) {
            assertThat(database.text("SHOW fsync")).isEqualTo("on");
            assertThat(database.text("SHOW synchronous_commit")).isEqualTo("on");
        }
    }

    @Test
    void settings_of_the_test_win_and_a_close_leaves_no_file_and_no_process(@TempDir Path parent) throws Exception {
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .in(parent)
                .set("max_connections", "17")
                .set("fsync", "on")
                .start();
        long pid = server.pid();
        try (TestDatabase database = server.createDatabase()) {
            assertThat(database.text("SHOW max_connections")).isEqualTo("17");
            assertThat(database.text("SHOW fsync")).isEqualTo("on");
            assertThat(database.text("SHOW data_directory"))
                    .startsWith(parent.toRealPath().toString());
        }

        server.close();
        server.close();

        assertThat(ProcessHandle.of(pid)).isEmpty();
        try (var left = Files.list(parent.resolve("servers"))) {
            assertThat(left).extracting(file -> file.getFileName().toString()).containsExactly(".sweeping");
        }
    }

    @Test
    void a_setting_that_the_server_refuses_is_reported_with_its_log(@TempDir Path parent) {
        var builder = EmbeddedPostgres.builder().in(parent).set("no_such_setting", "1");
        assertThatThrownBy(builder::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("unrecognized configuration parameter \"no_such_setting\"");
    }

    @Test
    void what_needs_a_running_server_says_how_to_get_one() {
        SERVER.stop();
        assertThatThrownBy(SERVER::pid)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("restart()");
    }

    @Test
    void a_killed_jvm_takes_its_server_along_and_the_next_server_sweeps_up(@TempDir Path parent) {
        try (ChildJvm child = ChildJvm.running(ServerInAnotherJvm.class)
                .arguments(parent.toString())
                .start()) {
            long pid = Long.parseLong(
                    child.awaitLine("^pid=(\\d+)$", Duration.ofSeconds(60)).group(1));
            assertThat(ProcessHandle.of(pid)).isPresent();

            child.kill();

            Awaitility.await().until(() -> ProcessHandle.of(pid).isEmpty());
            assertThat(directoriesIn(parent)).isEqualTo(1);
            EmbeddedPostgres.builder().in(parent).start().close();
            assertThat(directoriesIn(parent)).isZero();
        }
    }

    private static long directoriesIn(Path parent) {
        try (var files = Files.list(parent.resolve("servers"))) {
            return files.filter(Files::isDirectory).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers the SQLState. */
    private static CompletableFuture<String> inBackground(Connection connection, String sql) {
        return CompletableFuture.supplyAsync(() -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
                return SUCCESS;
            } catch (SQLException e) {
                return e.getSQLState();
            }
        });
    }

    private static void awaitActive(String query) {
        Awaitility.await()
                .until(() -> Databases.backends(SERVER, "postgres").stream()
                        .anyMatch(each ->
                                each.query().equals(query) && each.state().equals("active")));
    }

    private static int backendOf(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void awaitStandstill(long pid) {
        Path stat = Path.of("/proc/" + pid + "/stat");
        assumeThat(stat).exists();
        Awaitility.await().until(() -> Files.readString(stat).contains(") T "));
    }

    /** Starts a server and waits to be killed. */
    static final class ServerInAnotherJvm {

        private ServerInAnotherJvm() {}

        public static void main(String[] arguments) throws Exception {
            EmbeddedPostgres server =
                    EmbeddedPostgres.builder().in(Path.of(arguments[0])).start();
            System.out.println("pid=" + server.pid());
            System.out.println("read: " + System.in.read());
        }
    }
}
