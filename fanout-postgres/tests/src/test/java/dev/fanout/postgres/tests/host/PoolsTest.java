// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.postgres.tests.Shop;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scars 14 and 39: whatever pool the application has. */
@FanoutTest
class PoolsTest {

    private final TestDatabase database;

    PoolsTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void fresh() {
        database.execute("drop schema if exists fanout cascade");
    }

    @Test
    void a_pool_of_one_is_enough_to_open_and_to_append_while_its_connection_is_held() throws Exception {
        HikariDataSource pool = database.pool(1);
        pool.setConnectionTimeout(2_000);
        try (Shop shop = Shop.on(pool)) {
            try (Connection tx = pool.getConnection()) {
                tx.setAutoCommit(false);
                shop.append(tx, "a", "asset.created");
                shop.append(tx, "a", "asset.renamed");
                tx.commit();
            }
            assertThat(shop.version("a")).isEqualTo(2);
        }
    }

    @Test
    void appending_needs_no_second_connection_even_if_the_store_was_never_opened_before() throws Exception {
        Shop.on(database.dataSource()).close();
        HikariDataSource pool = database.pool(1);
        pool.setConnectionTimeout(500);
        try (Connection tx = pool.getConnection();
                PostgresStore store = PostgresStore.of(pool)) {
            tx.setAutoCommit(false);

            assertThat(store.appends().layout(tx).orElseThrow().stream("assets"))
                    .isPresent();
        }
    }

    @Test
    void a_pool_with_autocommit_off_loses_none_of_our_own_writes() throws Exception {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(database.jdbcUrl());
            pool.setUsername(database.user());
            pool.setPassword(database.password());
            pool.setMaximumPoolSize(2);
            pool.setAutoCommit(false);
            try (Shop shop = Shop.on(pool)) {
                shop.store().appends().inTransaction(tx -> shop.append(tx, "a", "asset.created"));
                long node = shop.store().leases().join("node", Set.of());

                assertThat(database.number("select count(*) from fanout.stream"))
                        .isEqualTo(1);
                assertThat(database.number("select count(*) from fanout.event")).isEqualTo(1);
                assertThat(database.number("select count(*) from fanout.node where id = ?", node))
                        .isEqualTo(1);
            }
            try (Connection back = pool.getConnection()) {
                assertThat(back.getAutoCommit()).isFalse();
            }
        }
    }

    @Test
    void a_connection_comes_back_in_the_mode_it_was_lent_in() throws Exception {
        OneConnection pool = new OneConnection(database.connect());
        try (Connection only = pool.real();
                Shop shop = Shop.on(pool)) {
            for (boolean autoCommit : new boolean[] {true, false}) {
                only.setAutoCommit(autoCommit);
                shop.find("a");
                shop.store().leases().survey();
                assertThat(only.getAutoCommit()).isEqualTo(autoCommit);
            }
        }
    }

    @Test
    void connect_makes_a_pool_and_closes_it() throws SQLException {
        try (Shop shop = new Shop(PostgresStore.connect(database.jdbcUrl(), database.user(), database.password()))) {
            assertThat(shop.find("a")).isEmpty();
        }
        org.awaitility.Awaitility.await()
                .until(() -> database.backends().stream()
                        .noneMatch(each -> each.toString().contains("fanout")));
    }
}
