// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Append;
import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.FanoutListener;
import dev.fanout.Outcome;
import dev.fanout.postgres.PostgresStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The handles, on a real engine on a real PostgreSQL. */
@FanoutTest
class HandlesTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final TestDatabase database;
    private final ConcurrentLinkedQueue<FanoutListener.WakeSource> sources = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Long> applied = new ConcurrentLinkedQueue<>();
    private final Redelivery projection = Redelivery.of(this::apply);
    private FaultyStore<Connection> store;
    private Fanout<Connection> fanout;

    HandlesTest(TestDatabase database) {
        this.database = database;
    }

    private Outcome apply(Event event) {
        applied.add(event.version());
        return Outcome.applied();
    }

    @BeforeEach
    void start() {
        store = FaultyStore.around(PostgresStore.of(database.pool(4)));
        fanout = Fanout.builder(store).stream("assets", s -> s.entities("asset"))
                .child("search", c -> c.of("assets").projection(projection).fromBeginning())
                .listener(new FanoutListener() {
                    @Override
                    public void published(int lane, int events, WakeSource source) {
                        sources.add(source);
                    }
                })
                .build();
        fanout.start();
    }

    @AfterEach
    void close() {
        fanout.close();
    }

    private Appended append(String id) throws Exception {
        return fanout.inTransaction(
                tx -> fanout.append(tx, Append.to("asset", id).event("asset.made", id)));
    }

    @Test
    void a_test_can_wait_until_the_engine_is_drained() throws Exception {
        for (int i = 0; i < 100; i++) {
            append("drained-" + i);
        }
        assertThat(Drained.await(fanout, SOON).isDrained()).isTrue();
        assertThat(projection.delivered())
                .extracting(event -> event.entity().id())
                .contains("drained-0", "drained-99");
    }

    @Test
    void what_was_delivered_can_be_delivered_again_and_out_of_order() throws Exception {
        for (int i = 0; i < 3; i++) {
            append("again");
        }
        Drained.await(fanout, SOON);
        List<Event> once = projection.delivered();
        int before = applied.size();
        projection.again();
        projection.outOfOrder(7);
        assertThat(applied).hasSize(before + 2 * once.size());
    }

    @Test
    void notifications_can_be_lost_and_nothing_is() throws Exception {
        store.loseNotifications();
        Appended appended;
        try (Fanout<Connection> other = Fanout.builder(PostgresStore.of(database.pool(1))).stream(
                        "assets", s -> s.entities("asset"))
                .build()) {
            appended = other.inTransaction(
                    tx -> other.append(tx, Append.to("asset", "silent").event("asset.made", 1)));
        }
        assertThat(fanout.awaitApplied("search", appended, SOON)).isEqualTo(Applied.APPLIED);
        assertThat(sources).isNotEmpty().doesNotContain(FanoutListener.WakeSource.NOTIFICATION);
    }

    @Test
    void the_relay_can_be_stopped_between_two_statements() throws Exception {
        append("before");
        Drained.await(fanout, SOON);
        // a look that is under way would still find the row
        assertThat(store.stopRelay().await(30, TimeUnit.SECONDS)).isTrue();
        append("while-stopped");
        assertThat(fanout.status().waiting()).isEqualTo(1);
        store.releaseRelay();
        Drained.await(fanout, SOON);
        assertThat(projection.delivered()).extracting(Event::entity).contains(EntityRef.of("asset", "while-stopped"));
    }
}
