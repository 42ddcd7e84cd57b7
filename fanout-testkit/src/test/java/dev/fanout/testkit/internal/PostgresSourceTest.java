// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.testkit.internal.PostgresSource.Kind;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class PostgresSourceTest {

    @Test
    void a_url_wins_over_everything() {
        Properties properties = properties("fanout.test.postgres", "docker");
        assertThat(PostgresSource.choose(
                        properties, Map.of("FANOUT_TEST_JDBC_URL", "jdbc:x"), PostgresSourceTest::neverAsked))
                .isEqualTo(new PostgresSource(Kind.JDBC_URL, "jdbc:x"));
    }

    @Test
    void a_property_wins_over_the_environment() {
        Properties properties = properties("fanout.test.jdbcUrl", "jdbc:property");
        assertThat(PostgresSource.choose(
                        properties, Map.of("FANOUT_TEST_JDBC_URL", "jdbc:env"), PostgresSourceTest::neverAsked))
                .isEqualTo(new PostgresSource(Kind.JDBC_URL, "jdbc:property"));
    }

    @Test
    void docker_is_used_unasked_if_a_daemon_answers() {
        assertThat(PostgresSource.choose(new Properties(), Map.of(), () -> true))
                .isEqualTo(new PostgresSource(Kind.DOCKER, "postgres:17"));
        assertThat(PostgresSource.choose(new Properties(), Map.of(), () -> false))
                .isEqualTo(new PostgresSource(Kind.EMBEDDED, ""));
    }

    @Test
    void what_is_said_is_done_without_asking_for_a_daemon() {
        assertThat(PostgresSource.choose(
                        properties("fanout.test.postgres", "docker"),
                        Map.of("FANOUT_TEST_POSTGRES_IMAGE", "postgres:18"),
                        PostgresSourceTest::neverAsked))
                .isEqualTo(new PostgresSource(Kind.DOCKER, "postgres:18"));
        assertThat(PostgresSource.choose(
                                new Properties(),
                                Map.of("FANOUT_TEST_POSTGRES", "embedded"),
                                PostgresSourceTest::neverAsked)
                        .kind())
                .isEqualTo(Kind.EMBEDDED);
    }

    @Test
    void another_word_is_refused_with_the_known_ones() {
        assertThatThrownBy(() -> PostgresSource.choose(
                        properties("fanout.test.postgres", "podman"), Map.of(), PostgresSourceTest::neverAsked))
                .hasMessageContaining("'podman'")
                .hasMessageContaining("auto, docker or embedded");
    }

    private static boolean neverAsked() {
        throw new AssertionError("The daemon was asked for");
    }

    private static Properties properties(String name, String value) {
        Properties properties = new Properties();
        properties.setProperty(name, value);
        return properties;
    }
}
