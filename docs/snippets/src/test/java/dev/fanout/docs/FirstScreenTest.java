// SPDX-License-Identifier: Apache-2.0
package dev.fanout.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Append;
import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.Entity;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import dev.fanout.VersionConflictException;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.testkit.Drained;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The snippets of the README, as a newcomer would run them. */
@FanoutTest
class FirstScreenTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final DataSource dataSource;
    private final Queue<Event> found = new ConcurrentLinkedQueue<>();
    private final Projection search = event -> {
        found.add(event);
        return Outcome.applied();
    };

    record Renamed(String name) {}

    FirstScreenTest(TestDatabase database) {
        this.dataSource = database.pool(5);
    }

    @Test
    void the_first_screen_delivers_what_was_committed() throws Exception {
        // snippet: first-screen
        Fanout<Connection> fanout = Fanout.builder(PostgresStore.of(dataSource)).stream(
                        "assets", s -> s.entities("asset").partitions(4))
                .child("asset-search", c -> c.of("assets").projection(search))
                .build(); // appends from here on
        fanout.start(); // runs relay and cursors; a process that only appends never calls it

        try (Connection tx = dataSource.getConnection()) {
            tx.setAutoCommit(false);
            // ... the application's own statements ...
            fanout.append(tx, Append.to("asset", "42").event("asset.renamed", new Renamed("pump-7")));
            tx.commit();
        }
        // end
        try (fanout) {
            Drained.await(fanout, SOON);
            assertThat(found)
                    .singleElement()
                    .satisfies(event ->
                            assertThat(event.payload().as(Renamed.class)).isEqualTo(new Renamed("pump-7")));
        }
    }

    @Test
    void a_conflict_is_rolled_back_and_tried_again() throws Exception {
        try (Fanout<Connection> fanout = Fanout.builder(PostgresStore.of(dataSource)).stream(
                        "assets", s -> s.entities("asset").partitions(4))
                .child("asset-search", c -> c.of("assets").projection(search))
                .build()) {
            fanout.start();
            String id = "43";
            Appended renamed = rename(fanout, id, "pump-8");
            assertThat(renamed.version()).isEqualTo(1);
            // snippet: await
            Applied seen = fanout.awaitApplied("asset-search", renamed, Duration.ofSeconds(1));
            if (seen != Applied.APPLIED) {
                // read the primary instead
            }
            // end
            assertThat(fanout.awaitApplied("asset-search", renamed, SOON)).isEqualTo(Applied.APPLIED);
        }
    }

    // snippet: retry
    Appended rename(Fanout<Connection> fanout, String id, String name) throws Exception {
        while (true) {
            try (Connection tx = dataSource.getConnection()) {
                tx.setAutoCommit(false);
                long version = fanout.find(tx, "asset", id).map(Entity::version).orElse(0L);
                try {
                    Appended renamed = fanout.append(
                            tx, Append.to("asset", id).expecting(version).event("asset.renamed", new Renamed(name)));
                    tx.commit();
                    return renamed;
                } catch (VersionConflictException conflict) {
                    tx.rollback(); // what was decided on the stale version must not stay
                }
            }
        }
    }
    // end

    @Test
    void a_batch_locks_in_one_order() throws Exception {
        try (Fanout<Connection> fanout = Fanout.builder(PostgresStore.of(dataSource)).stream(
                        "assets", s -> s.entities("asset").partitions(4))
                .build()) {
            List<Appended> both = fanout.inTransaction(
                    tx ->
                            // snippet: batch
                            fanout.append(
                                    tx,
                                    List.of(
                                            Append.to("asset", "pump").event("asset.connected", "valve"),
                                            Append.to("asset", "valve").event("asset.connected", "pump")))
                    // end
                    );
            assertThat(both).hasSize(2);
        }
    }
}
