// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.BooleanSupplier;

/**
 * Where the tests' PostgreSQL comes from.
 *
 * @param kind the sort of source
 * @param value the JDBC URL or the image; empty for the embedded one
 */
public record PostgresSource(Kind kind, String value) {

    /** The sorts of source. */
    public enum Kind {
        /** A server that somebody else runs. */
        JDBC_URL,
        /** A container. */
        DOCKER,
        /** Binaries on the class path. */
        EMBEDDED
    }

    private static final String URL = "fanout.test.jdbcUrl";
    private static final String SOURCE = "fanout.test.postgres";
    private static final String IMAGE = "fanout.test.postgres.image";
    private static final String DEFAULT_IMAGE = "postgres:17";

    /** The source that this run's properties and environment choose; a daemon is only asked for if it matters. */
    public static PostgresSource chosen() {
        return choose(System.getProperties(), System.getenv(), DockerDaemon::isUsable);
    }

    static PostgresSource choose(Properties properties, Map<String, String> environment, BooleanSupplier docker) {
        Settings settings = new Settings(properties, environment);
        Optional<String> url = settings.find(URL, "FANOUT_TEST_JDBC_URL");
        if (url.isPresent()) {
            return new PostgresSource(Kind.JDBC_URL, url.get());
        }
        String source = settings.find(SOURCE, "FANOUT_TEST_POSTGRES").orElse("auto");
        boolean container = switch (source.toLowerCase(Locale.ROOT)) {
            case "docker" -> true;
            case "embedded" -> false;
            case "auto" -> docker.getAsBoolean();
            default ->
                throw new IllegalStateException(SOURCE + " is '" + source + "'; it may be auto, docker or embedded.");
        };
        return container
                ? new PostgresSource(
                        Kind.DOCKER,
                        settings.find(IMAGE, "FANOUT_TEST_POSTGRES_IMAGE").orElse(DEFAULT_IMAGE))
                : new PostgresSource(Kind.EMBEDDED, "");
    }

    private record Settings(Properties properties, Map<String, String> environment) {

        Optional<String> find(String property, String variable) {
            return Optional.ofNullable(properties.getProperty(property))
                    .or(() -> Optional.ofNullable(environment.get(variable)))
                    .filter(value -> !value.isBlank());
        }
    }
}
