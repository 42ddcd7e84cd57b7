// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.AppendRefusedException;
import dev.fanout.StoreUnavailableException;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.postgres.tests.Shop;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Scar 40: an append that could not be part of a transaction was silently lost. */
@FanoutTest
class RefusedConnectionsTest {

    private final TestDatabase database;
    private final Shop shop;

    RefusedConnectionsTest(TestDatabase database) {
        this.database = database;
        this.shop = Shop.on(database.dataSource());
    }

    @AfterEach
    void nothing_was_written() {
        assertThat(database.number("select count(*) from fanout.event")).isZero();
        shop.close();
    }

    @Test
    void append_in_autocommit_mode_throws_and_says_what_to_do() throws SQLException {
        try (Connection connection = database.connect()) {
            assertThatThrownBy(() -> shop.append(connection, "a", "asset.created"))
                    .isInstanceOf(AppendRefusedException.class)
                    .hasMessageContaining("autocommit")
                    .hasMessageContaining("setAutoCommit(false)");
        }
    }

    @Test
    void append_through_a_closed_connection_throws() throws SQLException {
        Connection connection = database.pool(1).getConnection();
        connection.close();

        assertThatThrownBy(() -> shop.append(connection, "a", "asset.created"))
                .isInstanceOf(AppendRefusedException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void append_through_a_read_only_connection_throws_before_anything_is_sent() throws SQLException {
        try (Connection tx = begin()) {
            tx.setReadOnly(true);

            assertThatThrownBy(() -> shop.append(tx, "a", "asset.created"))
                    .isInstanceOf(AppendRefusedException.class)
                    .hasMessageContaining("setReadOnly(false)");
        }
    }

    @Test
    void append_in_a_transaction_made_read_only_by_sql_throws() throws SQLException {
        try (Connection tx = begin()) {
            execute(tx, "set transaction read only");

            assertThatThrownBy(() -> shop.append(tx, "a", "asset.created"))
                    .isInstanceOf(AppendRefusedException.class)
                    .hasMessageContaining("read-only");
        }
    }

    @Test
    void append_in_a_transaction_that_has_failed_throws() throws SQLException {
        try (Connection tx = begin()) {
            assertThatThrownBy(() -> execute(tx, "select 1 / 0")).isInstanceOf(SQLException.class);

            assertThatThrownBy(() -> shop.append(tx, "a", "asset.created"))
                    .isInstanceOf(AppendRefusedException.class)
                    .hasMessageContaining("roll it back");
        }
    }

    @Test
    void append_through_a_connection_that_was_lost_says_so() throws SQLException {
        try (Connection tx = begin()) {
            execute(tx, "select 1");
            database.terminateBackends();

            assertThatThrownBy(() -> shop.append(tx, "a", "asset.created"))
                    .isInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    void reading_the_layout_where_there_is_no_schema_leaves_the_transaction_usable() throws Exception {
        try (PostgresStore store = PostgresStore.builder(database.dataSource())
                        .schema("nowhere")
                        .build();
                Connection tx = begin()) {
            assertThat(store.appends().layout(tx)).isEmpty();
            execute(tx, "select 1");
        }
    }

    private Connection begin() throws SQLException {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        return connection;
    }

    private static void execute(Connection tx, String sql) throws SQLException {
        try (Statement statement = tx.createStatement()) {
            statement.execute(sql);
        }
    }
}
