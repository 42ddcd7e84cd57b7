// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.opening;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Settings;
import dev.fanout.StreamSpec;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.postgres.tests.Shop;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Layout;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Scar 21: eight replicas started on an empty schema, and all but one failed. */
@FanoutTest
class StartTogetherTest {

    private static final int PROCESSES = 8;

    @Test
    void eight_processes_that_start_at_once_on_an_empty_database_all_come_up(TestDatabase database) throws Exception {
        List<Layout> layouts = startTogether(database, "fanout");

        assertThat(layouts).hasSize(PROCESSES).containsOnly(layouts.get(0));
        assertThat(database.number("select count(*) from fanout.flyway_schema_history where success"))
                .as("migrations run once")
                .isEqualTo(1);
        assertThat(database.number("select count(*) from fanout.cursor"))
                .as("one cursor for each partition of the child's stream")
                .isEqualTo(4);
    }

    @Test
    void two_services_share_a_database_in_schemas_of_their_own(TestDatabase database) throws Exception {
        List<Layout> orders = startTogether(database, "order"); // a reserved word is as good as any
        List<Layout> stock = startTogether(database, "stock");

        assertThat(orders).containsOnly(orders.get(0));
        assertThat(stock).containsOnly(stock.get(0));
        assertThat(database.number("select count(*) from \"order\".stream")).isEqualTo(2);
        assertThat(database.number("select count(*) from stock.stream")).isEqualTo(2);
    }

    private static List<Layout> startTogether(TestDatabase database, String schema) throws Exception {
        CyclicBarrier start = new CyclicBarrier(PROCESSES);
        ExecutorService processes = Executors.newFixedThreadPool(PROCESSES);
        try {
            List<Callable<Layout>> all = new ArrayList<>();
            for (int i = 0; i < PROCESSES; i++) {
                Declaration declaration = declaration("epoch-" + i);
                all.add(() -> {
                    try (PostgresStore store = PostgresStore.builder(database.pool(2))
                            .schema(schema)
                            .build()) {
                        start.await();
                        return store.open(declaration);
                    }
                });
            }
            List<Layout> layouts = new ArrayList<>();
            for (Future<Layout> each : processes.invokeAll(all)) {
                layouts.add(each.get());
            }
            return layouts;
        } finally {
            processes.shutdownNow();
        }
    }

    private static Declaration declaration(String epoch) {
        return new Declaration(
                List.of(Shop.ASSETS, StreamSpec.named("audit")),
                List.of(new Declaration.Child("asset-search", "assets", "PLAIN", false, epoch)),
                Shop.CODEC,
                Settings.defaults());
    }
}
