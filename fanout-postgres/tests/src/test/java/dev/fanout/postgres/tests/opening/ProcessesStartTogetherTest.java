// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.opening;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Fanout;
import dev.fanout.postgres.tests.kit.Books;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.ChildJvm;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Scar 21 with real processes: four of them, with two engines each, all told to go on one empty database. */
@FanoutTest
class ProcessesStartTogetherTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int PROCESSES = 4;

    @Test
    void eight_engines_in_four_processes_come_up_on_an_empty_database_and_deliver_once(TestDatabase database) {
        database.execute("create table told (version bigint)");
        List<ChildJvm> processes = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(ChildJvm.running(StartingProcess.class)
                        .options("-Xmx64m", "-XX:TieredStopAtLevel=1")
                        .arguments(database.jdbcUrl(), database.user())
                        .start());
            }
            processes.forEach(process -> process.awaitLine("ready", LIMIT));
            processes.forEach(process -> process.send("go"));
            processes.forEach(process -> process.awaitLine("started 2", LIMIT));
            assertThat(database.number("select count(*) from fanout.flyway_schema_history where success"))
                    .as("migrations run once")
                    .isOne();

            appendTo(database);
            new Books(database).awaitDrained();
            assertThat(database.number("select count(*) from told")).isEqualTo(50);
        } finally {
            processes.forEach(ChildJvm::close);
        }
        new Books(database).assertBalanced();
    }

    private static void appendTo(TestDatabase database) {
        try (Fanout<Connection> appender = Engines.on(database.dataSource(), 4).build()) {
            for (int i = 0; i < 50; i++) {
                Engines.append(appender, "asset-" + i % 7);
            }
        }
    }
}
