// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.opening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.Fanout;
import dev.fanout.StartRefusedException;
import dev.fanout.postgres.MigrationMode;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.postgres.tests.Shop;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What a DBA runs instead of the library. */
@FanoutTest
class ScriptTest {

    private static final String SCHEMA = "dba";

    private final TestDatabase database;

    ScriptTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void run_the_script() {
        database.execute(PostgresStore.script(SCHEMA));
        database.execute("create role dba_api login password 'x' in role dba_appender");
        database.execute("create role dba_worker login password 'x' in role dba_runner");
    }

    @AfterEach
    void remove_all() {
        database.execute("drop schema dba cascade");
        database.execute("drop role dba_api, dba_worker, dba_appender, dba_runner");
    }

    @Test
    void flyway_agrees_that_the_script_is_the_migration() {
        Flyway flyway = Flyway.configure()
                .dataSource(database.dataSource())
                .schemas(SCHEMA)
                .defaultSchema(SCHEMA)
                .createSchemas(false)
                .locations("classpath:dev/fanout/postgres/migration")
                .placeholders(java.util.Map.of("schema", "\"" + SCHEMA + "\""))
                .load();

        assertThat(flyway.validateWithResult().validationSuccessful).isTrue();
        assertThat(flyway.info().pending()).isEmpty();
    }

    @Test
    void an_appender_appends_after_a_runner_has_stored_the_streams() throws Exception {
        assertThatThrownBy(() -> shop("dba_api").close())
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("dba_api");

        shop("dba_worker").close();

        try (Shop api = shop("dba_api")) {
            api.store().appends().inTransaction(tx -> api.append(tx, "a", "asset.renamed"));
            assertThat(api.version("a")).isEqualTo(1);
        }
        assertThat(database.number("select count(*) from dba.outbox")).isEqualTo(1);
    }

    @Test
    void an_appender_that_starts_is_refused_with_what_a_runner_needs() {
        shop("dba_worker").close();
        PostgresStore store = PostgresStore.builder(as("dba_api"))
                .schema(SCHEMA)
                .migration(MigrationMode.VALIDATE)
                .build();
        try (Fanout<Connection> api = Fanout.builder(store).stream(
                        "assets", stream -> stream.entities("asset").partitions(4))
                .build()) {
            assertThatThrownBy(api::start)
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContainingAll("dba_api", "insert on log", "update on lease", "dba_runner");

            database.execute("grant dba_runner to dba_api");
            api.start();
        }
    }

    @Test
    void a_runner_does_all_that_a_runner_does() {
        try (Shop worker = shop("dba_worker")) {
            long node = worker.store().leases().join("worker", Set.of());
            assertThat(worker.store().leases().beat(node)).isTrue();
            assertThat(worker.store().leases().take("lane/0", 0, node)).isPresent();
            assertThat(worker.store().outbox().waiting(0)).isZero();
            worker.store().leases().remove(node);
        }
    }

    private Shop shop(String role) {
        return new Shop(PostgresStore.builder(as(role))
                .schema(SCHEMA)
                .migration(MigrationMode.VALIDATE)
                .build());
    }

    private DataSource as(String role) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.jdbcUrl());
        source.setUser(role);
        source.setPassword("x");
        return source;
    }
}
