// SPDX-License-Identifier: Apache-2.0
package dev.fanout.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Append;
import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.Fanout;
import dev.fanout.Filter;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import dev.fanout.StreamSpec.Partitioner;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** The snippets on filters and child streams. */
@FanoutTest
class FiltersAndStreamsTest {

    private final TestDatabase database;
    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    FiltersAndStreamsTest(TestDatabase database) {
        this.database = database;
    }

    @Test
    void filters() throws Exception {
        try (HikariDataSource dataSource = database.pool(4)) {
            Projection typesIndex = telling("types");
            Projection publicSite = telling("site");
            // snippet: filters
            Fanout<Connection> fanout = Fanout.builder(PostgresStore.of(dataSource)).stream(
                            "assets", s -> s.entities("asset").partitions(4))
                    .filter("only-public", event -> !event.headers().containsKey("internal"))
                    .child(
                            "types-index",
                            c -> c.of("assets")
                                    .filter(Filter.type("asset.*")
                                            .where("payload.kind")
                                            .in("class", "record"))
                                    .projection(typesIndex))
                    .child(
                            "public-site",
                            c -> c.of("assets").filter("only-public").projection(publicSite))
                    .build();
            // end
            try (fanout) {
                fanout.start();
                Appended record = append(fanout, "1", "record");
                Appended module = append(fanout, "2", "module");
                // snippet: filtered
                Applied became = fanout.awaitApplied("types-index", module, Duration.ofSeconds(10));
                assertThat(became).isEqualTo(Applied.FILTERED);
                // end
                assertThat(fanout.awaitApplied("types-index", record, Duration.ofSeconds(30)))
                        .isEqualTo(Applied.APPLIED);
                assertThat(fanout.awaitApplied("public-site", module, Duration.ofSeconds(30)))
                        .isEqualTo(Applied.APPLIED);
            }
        }
        assertThat(told).contains("types 1", "site 1", "site 2").doesNotContain("types 2");
    }

    @Test
    void streams() throws Exception {
        database.execute("drop schema if exists fanout cascade");
        try (HikariDataSource dataSource = database.pool(4)) {
            Projection auditTable = telling("audit");
            // snippet: child-stream
            Fanout<Connection> fanout = Fanout.builder(PostgresStore.of(dataSource)).stream(
                            "assets", s -> s.entities("asset").partitions(4))
                    .stream("audit", s -> s.partitions(16).partitioner(Partitioner.TENANT))
                    .child("assets-to-audit", c -> c.of("assets").filter(Filter.type("asset.*")).stream("audit"))
                    .child("audit-table", c -> c.of("audit").projection(auditTable))
                    .build();
            // end
            try (fanout) {
                fanout.start();
                Appended made = append(fanout, "1", "record");
                assertThat(fanout.awaitApplied("audit-table", made, Duration.ofSeconds(30)))
                        .isEqualTo(Applied.APPLIED);
            }
        }
        assertThat(told).contains("audit 1");
    }

    private static Appended append(Fanout<Connection> fanout, String id, String kind) throws Exception {
        return fanout.inTransaction(tx ->
                fanout.append(tx, Append.to("asset", id).event("asset.made", Map.of("kind", kind))));
    }

    private Projection telling(String who) {
        return event -> {
            told.add(who + " " + event.entity().id());
            return Outcome.applied();
        };
    }
}
