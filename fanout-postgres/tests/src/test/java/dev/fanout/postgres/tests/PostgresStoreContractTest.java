// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests;

import dev.fanout.postgres.PostgresStore;
import dev.fanout.testkit.DatabaseTemplate;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.PostgresServer;
import dev.fanout.testkit.contract.Harness;
import dev.fanout.testkit.contract.StoreContract;
import java.sql.Connection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

@FanoutTest
class PostgresStoreContractTest extends StoreContract<Connection> {

    private static @Nullable DatabaseTemplate template;

    @BeforeAll
    static void migrateOnce(PostgresServer server) {
        template = server.template(dataSource -> {
            try (PostgresStore store = PostgresStore.of(dataSource)) {
                store.open(Shop.declaration());
            }
            PostgresHarness.makeTable(dataSource);
        });
    }

    @AfterAll
    static void dropTemplate() {
        Objects.requireNonNull(template).close();
    }

    @Override
    protected Harness<Connection> harness() {
        return new PostgresHarness(Objects.requireNonNull(template).newDatabase());
    }
}
