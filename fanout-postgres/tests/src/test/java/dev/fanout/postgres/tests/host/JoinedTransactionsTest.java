// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.AppendRefusedException;
import dev.fanout.postgres.tests.Shop;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An append is part of whatever transaction the application runs, by whatever means it runs it. */
@FanoutTest
class JoinedTransactionsTest {

    private final TestDatabase database;
    private final HikariDataSource pool;
    private final Shop shop;

    JoinedTransactionsTest(TestDatabase database) {
        this.database = database;
        this.pool = database.pool(2);
        this.shop = Shop.on(pool);
    }

    @BeforeEach
    void empty() {
        database.execute("create table if not exists asset (id text primary key)");
        database.execute("truncate asset, fanout.entity, fanout.event, fanout.outbox");
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void plain_jdbc() throws Exception {
        try (Connection tx = pool.getConnection()) {
            tx.setAutoCommit(false);
            insert(tx, "a");
            shop.append(tx, "a", "asset.created");
            tx.commit();
            insert(tx, "b");
            shop.append(tx, "b", "asset.created");
            tx.rollback();
        }
        assertOnlyThere("a");
    }

    @Test
    void spring_transactions() {
        JdbcTemplate jdbc = new JdbcTemplate(pool);
        TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(pool));

        transaction.executeWithoutResult(status -> {
            jdbc.update("insert into asset values ('a')");
            shop.append(DataSourceUtils.getConnection(pool), "a", "asset.created");
        });
        transaction.executeWithoutResult(status -> {
            jdbc.update("insert into asset values ('b')");
            jdbc.execute((ConnectionCallback<Long>) tx -> shop.append(tx, "b", "asset.created"));
            status.setRollbackOnly();
        });

        assertOnlyThere("a");
        assertThatThrownBy(() -> jdbc.execute((ConnectionCallback<Long>) tx -> shop.append(tx, "c", "asset.created")))
                .as("outside a transaction")
                .isInstanceOf(AppendRefusedException.class);
    }

    @Test
    void hibernate_sessions() {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", pool);
        try (SessionFactory sessions = configuration.buildSessionFactory()) {
            sessions.inTransaction(session -> session.doWork(tx -> {
                insert(tx, "a");
                shop.append(tx, "a", "asset.created");
            }));
            assertThatThrownBy(() -> sessions.inTransaction(session -> {
                        session.doWork(tx -> {
                            insert(tx, "b");
                            shop.append(tx, "b", "asset.created");
                        });
                        throw new IllegalStateException("the application changed its mind");
                    }))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertOnlyThere("a");
    }

    @Test
    void jooq_transactions() {
        DSLContext jooq = DSL.using(pool, SQLDialect.POSTGRES);

        jooq.transaction(inner -> inner.dsl().connection(tx -> {
            insert(tx, "a");
            shop.append(tx, "a", "asset.created");
        }));
        assertThatThrownBy(() -> jooq.transaction(inner -> inner.dsl().connection(tx -> {
                    insert(tx, "b");
                    shop.append(tx, "b", "asset.created");
                    throw new IllegalStateException("the application changed its mind");
                })))
                .isInstanceOf(RuntimeException.class);

        assertOnlyThere("a");
    }

    private static void insert(Connection tx, String id) throws java.sql.SQLException {
        try (PreparedStatement insert = tx.prepareStatement("insert into asset values (?)")) {
            insert.setString(1, id);
            insert.executeUpdate();
        }
    }

    private void assertOnlyThere(String id) {
        assertThat(database.column("select id from asset")).containsExactly(id);
        assertThat(database.column("select id from fanout.entity")).containsExactly(id);
        assertThat(database.number("select count(*) from fanout.outbox")).isEqualTo(1);
    }
}
