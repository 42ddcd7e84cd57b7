// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.opening;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.postgres.tests.Shop;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Scars 41 and 42: the library's schema and the application's neither see nor touch each other. */
@FanoutTest
class HostMigrationsTest {

    @Test
    void the_applications_own_flyway_and_ours_do_not_see_each_other(TestDatabase database, @TempDir Path folder)
            throws IOException {
        for (int i = 1; i <= 9; i++) {
            Files.writeString(folder.resolve("V" + i + "__step.sql"), "create table step_" + i + " (id int);");
        }
        Flyway host = Flyway.configure()
                .dataSource(database.dataSource())
                .locations("filesystem:" + folder)
                .validateOnMigrate(true)
                .load();

        assertThat(host.migrate().migrationsExecuted).isEqualTo(9);
        Shop.on(database.dataSource()).close();
        Files.writeString(folder.resolve("V10__step.sql"), "create table step_10 (id int);");
        assertThat(host.migrate().migrationsExecuted).isEqualTo(1);
        assertThat(host.validateWithResult().validationSuccessful).isTrue();
        Shop.on(database.dataSource()).close();

        assertThat(database.number("select count(*) from public.flyway_schema_history"))
                .isEqualTo(10);
        assertThat(database.number("select count(*) from fanout.flyway_schema_history"))
                .isEqualTo(1);
    }

    @Test
    void tables_of_the_same_names_elsewhere_on_the_search_path_are_not_taken_for_ours(TestDatabase database)
            throws Exception {
        database.execute("drop schema if exists fanout cascade");
        database.execute("create schema decoy");
        for (String table : new String[] {"stream", "entity", "event", "outbox", "log", "flyway_schema_history"}) {
            database.execute("create table decoy." + table + " (nothing int)");
        }

        try (Shop shop = Shop.on(withSearchPath(database, "decoy"))) {
            long version = shop.store().appends().inTransaction(tx -> shop.append(tx, "a", "asset.renamed"));

            assertThat(version).isEqualTo(1);
        }
        assertThat(database.number("select count(*) from fanout.outbox")).isEqualTo(1);
        assertThat(database.number("select count(*) from decoy.outbox")).isZero();
    }

    private static DataSource withSearchPath(TestDatabase database, String path) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.jdbcUrl());
        source.setUser(database.user());
        source.setPassword(database.password());
        source.setCurrentSchema(path);
        return source;
    }
}
