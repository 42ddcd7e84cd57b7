// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.EntityRef;
import dev.fanout.Settings;
import dev.fanout.StreamSpec;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.postgres.tests.Shop;
import dev.fanout.spi.Appends.EntityAppend;
import dev.fanout.spi.Appends.NewEvent;
import dev.fanout.spi.Appends.Route;
import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Cursors.Cursor;
import dev.fanout.spi.Cursors.Parking;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.Frontier;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Leases.Held;
import dev.fanout.spi.Outbox;
import dev.fanout.spi.Outbox.Publication;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Scar 18: a fencing token was computed and checked by nobody. Each stale write is tried twice: as it is, and by a store
 * whose fence always agrees; the second commits, so that nothing but the fence refuses the first.
 */
@FanoutTest
class FenceTest {

    private final TestDatabase database;
    private PostgresStore fenced;
    private PostgresStore unfenced;
    private Layout layout;
    private Lease lane;
    private Lease child;

    FenceTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void open() throws Exception {
        database.execute(
                "drop schema if exists fanout cascade; drop table if exists told;" + " create table told (asset text)");
        fenced = PostgresStore.of(database.pool(2));
        unfenced = PostgresStore.of(Unfenced.of(database.dataSource()));
        Declaration declaration = new Declaration(
                List.of(StreamSpec.named("assets").entities("asset")),
                List.of(new Declaration.Child("search", "assets", "TRANSACTIONAL", true, "00000000000000aa")),
                Shop.CODEC,
                Settings.defaults());
        layout = fenced.open(declaration);
        unfenced.open(declaration);
        append();
        lane = take("lane/0");
        child = take("child/search/0");
        // another node takes both: from here on the leases in hand are stale
        take("lane/0");
        take("child/search/0");
    }

    @AfterEach
    void close() {
        fenced.close();
        unfenced.close();
    }

    @Test
    void a_stale_relay_publishes_nothing_and_without_the_fence_it_would() {
        assertThatThrownBy(() -> publish(fenced)).isInstanceOf(FencedException.class);
        assertThat(database.number("select count(*) from fanout.log")).isZero();
        assertThat(database.number("select count(*) from fanout.outbox")).isOne();
        assertThat(database.number("select count(*) from fanout.frontier")).isZero();

        assertThat(publish(unfenced).placed()).hasSize(1);
        assertThat(database.number("select count(*) from fanout.log")).isOne();
    }

    @Test
    void a_stale_cursor_moves_nothing_and_without_the_fence_it_would() {
        assertThatThrownBy(() -> fenced.cursors().advance(step())).isInstanceOf(FencedException.class);
        assertThat(database.number("select count(*) from fanout.cursor where position > 0"))
                .isZero();
        assertThat(database.number("select count(*) from fanout.gate")).isZero();

        unfenced.cursors().advance(step());
        assertThat(database.number("select max(position) from fanout.cursor")).isOne();
    }

    @Test
    void a_stale_transactional_delivery_leaves_no_effect_and_without_the_fence_it_would() throws Exception {
        assertThatThrownBy(() -> deliver(fenced)).isInstanceOf(FencedException.class);
        assertThat(database.number("select count(*) from told")).isZero();

        assertThat(deliver(unfenced)).isTrue();
        assertThat(database.number("select count(*) from told")).isOne();
    }

    private Publication publish(PostgresStore store) {
        return store.outbox()
                .publish(new Outbox.Request(lane, 0, Frontier.START, true, true, 10, 1 << 20, true, Map.of(), false));
    }

    private boolean deliver(PostgresStore store) throws Exception {
        return store.cursors().advance(tx -> {
            try (Statement statement = tx.createStatement()) {
                statement.execute("insert into told values ('x')");
            }
            return step();
        });
    }

    private Advance step() {
        return new Advance(
                child,
                layout.attachment("search").orElseThrow(),
                0,
                Cursor.START,
                Cursor.START.next(1, new Counts(1, 0, 0, 0, 0, 0, 0)),
                Map.of(database.number("select no from fanout.entity"), 1L),
                Map.of(),
                Parking.NONE,
                List.of(),
                Optional.empty());
    }

    /** Takes a resource for a new node, whoever had it. */
    private Lease take(String resource) {
        long node = fenced.leases().join("node", Set.of("search"));
        long seen = fenced.leases().survey().leases().stream()
                .filter(held -> held.resource().equals(resource))
                .mapToLong(Held::token)
                .findFirst()
                .orElse(0);
        return fenced.leases().take(resource, seen, node).orElseThrow();
    }

    private void append() throws Exception {
        int stream = layout.stream("assets").orElseThrow().no();
        NewEvent event = new NewEvent(
                UUID.randomUUID(), "asset.renamed", "{}", Map.of(), false, List.of(new Route(0, stream, 0)));
        fenced.appends()
                .inTransaction(tx -> fenced.appends()
                        .append(
                                tx,
                                List.of(new EntityAppend(
                                        EntityRef.of("asset", "x"),
                                        OptionalLong.empty(),
                                        OptionalLong.empty(),
                                        Optional.empty(),
                                        List.of(event),
                                        Optional.empty()))));
    }
}
