// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@FanoutTest
class TcpProxyTest {

    private static final String SUCCESS = "00000";

    private final TestDatabase database;
    private TcpProxy proxy;

    TcpProxyTest(TestDatabase database) {
        this.database = database;
        this.proxy = TcpProxy.inFrontOf(database.jdbcUrl());
    }

    @BeforeEach
    void table() {
        database.execute("CREATE TABLE IF NOT EXISTS t (n int)");
        database.execute("TRUNCATE t");
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void each_statement_is_one_round_trip() throws SQLException {
        try (Connection connection = connect()) {
            long before = proxy.roundTrips();
            execute(connection, "SELECT 1");
            assertThat(proxy.roundTrips() - before).isEqualTo(1);

            execute(connection, "SELECT repeat('x', 100000)");
            assertThat(proxy.roundTrips() - before).isEqualTo(2);
            assertThat(proxy.connections()).isEqualTo(1);
        }
    }

    @Test
    void a_transaction_is_its_statements_and_its_commit() throws SQLException {
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            long before = proxy.roundTrips();
            execute(connection, "INSERT INTO t VALUES (1)");
            execute(connection, "INSERT INTO t VALUES (2)");
            connection.commit();
            assertThat(proxy.roundTrips() - before).isEqualTo(3);
        }
    }

    @Test
    void a_batch_of_a_thousand_rows_with_large_values_is_counted_by_its_syncs() throws SQLException {
        try (Connection connection = connect();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (length(?))")) {
            connection.setAutoCommit(false);
            for (int i = 0; i < 1000; i++) {
                insert.setString(1, "Q".repeat(500));
                insert.addBatch();
            }
            long before = proxy.roundTrips();
            insert.executeBatch();
            assertThat(proxy.roundTrips() - before).isBetween(1L, 20L);
            connection.commit();
        }
        assertThat(database.number("SELECT count(*) FROM t")).isEqualTo(1000);
    }

    @Test
    void a_black_hole_is_silent_and_loses_nothing_when_it_ends() throws Exception {
        try (Connection connection = connect()) {
            proxy.blackHole();
            CompletableFuture<String> answer = inBackground(connection, "INSERT INTO t VALUES (1)");
            Awaitility.await().until(() -> proxy.roundTrips() > 0);
            assertThat(database.number("SELECT count(*) FROM t")).isZero();
            assertThat(answer).isNotDone();

            proxy.resume();
            assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo(SUCCESS);
            assertThat(database.number("SELECT count(*) FROM t")).isEqualTo(1);
        }
    }

    @Test
    void a_connection_made_into_a_black_hole_waits_as_well() throws Exception {
        proxy.blackHole();
        CompletableFuture<Connection> connection = CompletableFuture.supplyAsync(this::connectUnchecked);
        Awaitility.await().until(() -> proxy.openConnections() == 1);
        assertThat(connection).isNotDone();

        proxy.resume();
        connection.get(10, TimeUnit.SECONDS).close();
    }

    @Test
    void a_black_hole_for_answers_lets_the_server_commit() throws Exception {
        try (Connection connection = connect()) {
            proxy.blackHoleAnswers();
            CompletableFuture<String> answer = inBackground(connection, "INSERT INTO t VALUES (1)");
            Awaitility.await().until(() -> database.number("SELECT count(*) FROM t") == 1);
            assertThat(answer).isNotDone();

            proxy.cut();
            assertThat(answer.get(10, TimeUnit.SECONDS)).startsWith("08");
        }
    }

    @Test
    void a_cut_breaks_what_is_open_and_accepts_what_is_new() throws SQLException {
        try (Connection connection = connect()) {
            proxy.cut();
            assertThatThrownBy(() -> execute(connection, "SELECT 1")).isInstanceOf(SQLException.class);
        }
        try (Connection again = connect()) {
            execute(again, "SELECT 1");
        }
        assertThat(proxy.connections()).isEqualTo(2);
        Awaitility.await().until(() -> proxy.openConnections() == 0);
    }

    @Test
    void nobody_connects_while_it_refuses() throws SQLException {
        proxy.refuse();
        assertThatThrownBy(this::connect).isInstanceOf(SQLException.class);
        assertThat(proxy.connections()).isZero();

        proxy.resume();
        connect().close();
    }

    @Test
    void a_delay_is_waited_in_each_direction() throws SQLException {
        try (Connection connection = connect()) {
            proxy.delay(Duration.ofMillis(40));
            long begin = System.nanoTime();
            execute(connection, "SELECT 1");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(80));
        }
    }

    @Test
    void the_end_of_a_backend_reaches_the_client_with_its_reason() throws SQLException {
        try (Connection connection = connect()) {
            assertThat(database.terminateBackends()).isEqualTo(1);
            assertThatThrownBy(() -> execute(connection, "SELECT 1"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57P01"));
        }
    }

    @Test
    void a_close_in_a_black_hole_ends_everything() throws SQLException {
        try (Connection connection = connect()) {
            proxy.blackHole();
            proxy.close();
            assertThat(proxy.openConnections()).isZero();
            assertThat(connection.isValid(1)).isFalse();
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().startsWith("fanout-testkit-proxy"))
                .isEmpty();
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(proxy.jdbcUrl(), database.user(), database.password());
    }

    private Connection connectUnchecked() {
        try {
            return connect();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Answers the SQLState. */
    private static CompletableFuture<String> inBackground(Connection connection, String sql) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                execute(connection, sql);
                return SUCCESS;
            } catch (SQLException e) {
                return e.getSQLState();
            }
        });
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
