// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.Fanout;
import dev.fanout.FanoutException;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** The driver's commit of a failed transaction returns as if it had been one. */
@FanoutTest
class SwallowedFailuresTest {

    private final TestDatabase database;

    SwallowedFailuresTest(TestDatabase database) {
        this.database = database;
    }

    @Test
    void work_that_swallowed_a_failed_statement_is_told_that_nothing_was_committed() {
        swallowingIsTold(database.dataSource());
        swallowingIsTold(database.pool(2));
    }

    @Test
    void work_on_a_pool_that_hides_the_drivers_connection_is_told_too() throws Exception {
        DataSource hiding = new DelegatingDataSource(database.pool(2)) {
            @Override
            public Connection getConnection() throws SQLException {
                return hidden(super.getConnection());
            }
        };
        swallowingIsTold(hiding);
        savepointIsKept(hiding);
    }

    @Test
    void work_that_went_back_to_a_savepoint_is_committed() throws Exception {
        savepointIsKept(database.pool(2));
    }

    private void swallowingIsTold(DataSource pool) {
        try (Fanout<Connection> fanout = Engines.on(pool).build()) {
            assertThatThrownBy(() -> fanout.inTransaction(tx -> {
                        Engines.append(fanout, tx, "swallowed");
                        fail(tx);
                        return "done";
                    }))
                    .isInstanceOf(FanoutException.class)
                    .hasMessageContaining("nothing was committed");
            assertThat(database.number("select count(*) from fanout.entity where id = 'swallowed'"))
                    .isZero();
        }
    }

    private void savepointIsKept(DataSource pool) throws Exception {
        try (Fanout<Connection> fanout = Engines.on(pool).build()) {
            long before = database.number("select count(*) from fanout.event");
            fanout.inTransaction(tx -> {
                Engines.append(fanout, tx, "kept");
                Savepoint savepoint = tx.setSavepoint();
                fail(tx);
                tx.rollback(savepoint);
                return "done";
            });
            assertThat(database.number("select count(*) from fanout.event")).isEqualTo(before + 1);
        }
    }

    private static void fail(Connection tx) throws SQLException {
        try (Statement statement = tx.createStatement()) {
            assertThatThrownBy(() -> statement.execute("select 1 / 0")).isInstanceOf(SQLException.class);
        }
    }

    private static Connection hidden(Connection real) {
        return (Connection) Proxy.newProxyInstance(
                SwallowedFailuresTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("isWrapperFor")) {
                        return false;
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
