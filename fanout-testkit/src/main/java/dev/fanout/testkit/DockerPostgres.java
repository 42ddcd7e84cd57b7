// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import java.util.ArrayList;
import java.util.List;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** A server in a container; the only class that knows Testcontainers, which is optional. */
final class DockerPostgres implements PostgresServer {

    private final PostgreSQLContainer container;

    private DockerPostgres(PostgreSQLContainer container) {
        this.container = container;
    }

    static DockerPostgres start(String image, Durability durability) {
        List<String> command = new ArrayList<>(List.of("postgres", "-c", "max_connections=200"));
        durability.settings().forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
        DockerImageName name = DockerImageName.parse(image).asCompatibleSubstituteFor("postgres");
        PostgreSQLContainer container = new PostgreSQLContainer(name).withCommand(command.toArray(String[]::new));
        container.start();
        return new DockerPostgres(container);
    }

    @Override
    public String jdbcUrl(String database) {
        return "jdbc:postgresql://" + container.getHost() + ":"
                + container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT) + "/" + database;
    }

    @Override
    public String user() {
        return container.getUsername();
    }

    @Override
    public String password() {
        return container.getPassword();
    }

    @Override
    public String maintenanceDatabase() {
        return container.getDatabaseName();
    }

    @Override
    public void close() {
        container.stop();
    }

    @Override
    public String toString() {
        return "PostgreSQL in the container " + container.getDockerImageName();
    }
}
