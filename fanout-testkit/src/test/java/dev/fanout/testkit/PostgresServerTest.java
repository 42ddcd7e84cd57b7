// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.testkit.internal.PostgresSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

@FanoutTest
class PostgresServerTest {

    private final PostgresServer server;

    PostgresServerTest(PostgresServer server) {
        this.server = server;
    }

    @Test
    void a_server_named_by_its_url_serves_databases_and_is_left_alone() {
        String url = server.jdbcUrl(server.maintenanceDatabase()) + "?user=" + server.user() + "&password=secret"
                + "&ApplicationName=named";
        PostgresServer named = Servers.start(new PostgresSource(PostgresSource.Kind.JDBC_URL, url), Durability.NONE);
        try (TestDatabase database = named.createDatabase()) {
            assertThat(named.password()).isEqualTo("secret");
            assertThat(database.text("SHOW application_name")).isEqualTo("named");
        }
        named.close();
        assertThat(server.createDatabase()).satisfies(TestDatabase::close);
    }

    @Test
    void a_url_of_another_form_is_refused_without_showing_its_password() {
        assertThatThrownBy(() -> new ExternalPostgres("jdbc:mysql://host/db?password=secret"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("jdbc:postgresql://host:port/database")
                .hasMessageNotContaining("secret");
    }

    @Test
    void copies_of_a_template_are_alike_and_apart() {
        try (DatabaseTemplate template = server.template(PostgresServerTest::migrate);
                TestDatabase one = template.newDatabase();
                TestDatabase two = template.newDatabase()) {
            one.execute("INSERT INTO t VALUES (1)");
            assertThat(one.number("SELECT count(*) FROM t")).isEqualTo(1);
            assertThat(two.number("SELECT count(*) FROM t")).isZero();
        }
    }

    @Test
    void a_migration_that_fails_leaves_no_database() {
        long before = databases();
        assertThatThrownBy(() -> server.template(dataSource -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(databases()).isEqualTo(before);
    }

    @Test
    void a_helper_that_fails_shows_the_statement(TestDatabase database) {
        assertThatThrownBy(() -> database.number("SELECT * FROM missing"))
                .hasMessageContaining("SELECT * FROM missing");
        assertThatThrownBy(() -> database.text("SELECT 1 WHERE false")).hasMessageContaining("got 0");
        assertThatThrownBy(() -> database.number("SELECT 'x'")).hasMessageContaining("'x'");
        assertThatThrownBy(() -> database.text("SELECT NULL")).hasMessageContaining("NULL");
    }

    @Test
    void a_pool_has_the_size_that_was_asked_for(TestDatabase database) throws Exception {
        try (var pool = database.pool(2);
                Connection one = pool.getConnection();
                Connection two = pool.getConnection()) {
            assertThat(database.backends()).hasSize(2);
            assertThat(pool.getMaximumPoolSize()).isEqualTo(2);
            assertThat(one).isNotSameAs(two);
        }
    }

    private long databases() {
        try (TestDatabase database = server.createDatabase()) {
            return database.number("SELECT count(*) FROM pg_database");
        }
    }

    private static void migrate(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (n int)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
