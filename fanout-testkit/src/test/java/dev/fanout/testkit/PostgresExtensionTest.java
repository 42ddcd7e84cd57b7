// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PostgresExtensionTest {

    private static final AtomicInteger MIGRATIONS = new AtomicInteger();

    @RegisterExtension
    static final PostgresExtension POSTGRES = PostgresExtension.create().migratedBy("colours", dataSource -> {
        MIGRATIONS.incrementAndGet();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE colour (name text PRIMARY KEY)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    });

    @Test
    @Order(1)
    void the_database_is_migrated_and_empty(TestDatabase database) {
        assertThat(database.number("SELECT count(*) FROM colour")).isZero();
        assertThat(database.execute("INSERT INTO colour VALUES (?), (?)", "red", "blue"))
                .isEqualTo(2);
        assertThat(database.column("SELECT name FROM colour ORDER BY 1")).containsExactly("blue", "red");
    }

    @Test
    @Order(2)
    void the_methods_of_a_class_share_its_database(DataSource dataSource, PostgresServer server) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Connection maintenance = server.connect(server.maintenanceDatabase())) {
            assertThat(connection.getCatalog()).startsWith("fanout_test_");
            assertThat(maintenance.isValid(1)).isTrue();
        }
    }

    @Test
    @Order(3)
    void the_template_is_made_once() {
        assertThat(MIGRATIONS).hasValue(1);
    }

    @Nested
    class InANestedClass {

        @Test
        void the_database_is_that_of_the_class_around_it(TestDatabase database) {
            assertThat(database.number("SELECT count(*) FROM colour")).isEqualTo(2);
        }
    }
}
