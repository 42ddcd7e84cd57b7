// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import dev.fanout.testkit.internal.PostgresSource;

/** Turns the choice of a source into a server. */
final class Servers {

    private Servers() {}

    static PostgresServer start(PostgresSource source, Durability durability) {
        return switch (source.kind()) {
            case JDBC_URL -> new ExternalPostgres(source.value());
            case DOCKER -> DockerPostgres.start(source.value(), durability);
            case EMBEDDED -> EmbeddedPostgres.builder().durability(durability).start();
        };
    }
}
