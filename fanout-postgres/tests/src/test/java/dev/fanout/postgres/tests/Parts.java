// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests;

import dev.fanout.Codec;
import dev.fanout.EntityRef;
import dev.fanout.Settings;
import dev.fanout.StreamSpec;
import dev.fanout.WakeMode;
import dev.fanout.postgres.MigrationMode;
import dev.fanout.postgres.internal.Database;
import dev.fanout.postgres.internal.DirectConnections;
import dev.fanout.postgres.internal.Opening;
import dev.fanout.postgres.internal.PostgresAppends;
import dev.fanout.postgres.internal.PostgresCursors;
import dev.fanout.postgres.internal.PostgresLeases;
import dev.fanout.postgres.internal.PostgresLog;
import dev.fanout.postgres.internal.PostgresOutbox;
import dev.fanout.postgres.internal.PostgresWakes;
import dev.fanout.postgres.internal.SchemaName;
import dev.fanout.spi.Appends.EntityAppend;
import dev.fanout.spi.Appends.NewEvent;
import dev.fanout.spi.Appends.Route;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Frontier;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Outbox;
import dev.fanout.spi.StreamPartition;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/** The parts of a store on PostgreSQL, opened with one stream of two partitions and one child, without an engine. */
final class Parts implements AutoCloseable {

    static final String LANE = "lane/0";

    private static final Codec NO_CODEC = new Codec() {
        @Override
        public String encode(Object value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <P> P decode(String json, Class<P> type) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void check(String json) {}
    };

    final Database database;
    final Layout layout;
    final PostgresAppends appends;
    final PostgresOutbox outbox;
    final PostgresLog log;
    final PostgresCursors cursors;
    final PostgresLeases leases;
    final PostgresWakes wakes;

    private Parts(Database database, Layout layout) {
        this.database = database;
        this.layout = layout;
        appends = new PostgresAppends(database);
        outbox = new PostgresOutbox(database);
        log = new PostgresLog(database);
        cursors = new PostgresCursors(database);
        leases = new PostgresLeases(database);
        wakes = new PostgresWakes(database, () -> Set.of(0));
    }

    static Parts open(DataSource pool, DataSource direct) {
        Database database = new Database(new SchemaName("fanout"), pool, DirectConnections.of(pool, direct));
        Declaration declaration = declaration(Settings.defaults().wakeMode(WakeMode.ADAPTIVE));
        return new Parts(database, new Opening(database, MigrationMode.MIGRATE).open(declaration));
    }

    private static Declaration declaration(Settings settings) {
        return new Declaration(
                List.of(StreamSpec.named("assets").entities("asset").partitions(2)),
                List.of(new Declaration.Child("search", "assets", "PLAIN", true, "00000000000000aa")),
                NO_CODEC,
                settings);
    }

    /** Goes on with other numbers. */
    void declare(Settings settings) {
        database.declare(declaration(settings));
    }

    int stream() {
        return layout.stream("assets").orElseThrow().no();
    }

    StreamPartition partition(int no) {
        return new StreamPartition(stream(), no);
    }

    Layout.Attachment child() {
        return layout.attachment("search").orElseThrow();
    }

    /** Takes a resource for a new node, whoever had it. */
    Lease lease(String resource) {
        long node = leases.join("node", Set.of("search"));
        long seen = leases.survey().leases().stream()
                .filter(held -> held.resource().equals(resource))
                .mapToLong(held -> held.token())
                .findFirst()
                .orElse(0);
        return leases.take(resource, seen, node).orElseThrow();
    }

    /** Appends one event to an entity, in the partition that its name ends with. */
    void append(Connection tx, String id) {
        int partition = Character.digit(id.charAt(id.length() - 1), 10) % 2;
        NewEvent event = new NewEvent(
                UUID.randomUUID(),
                "asset.renamed",
                "{\"name\": \"" + id + "\"}",
                Map.of("trace", "t-\u00e9\"1"),
                false,
                List.of(new Route(0, stream(), partition)));
        appends.append(
                tx,
                List.of(new EntityAppend(
                        EntityRef.of("asset", id),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        Optional.empty(),
                        List.of(event),
                        Optional.empty())));
    }

    /** Appends one event to each entity, and commits. */
    void append(DataSource source, String... ids) throws Exception {
        try (Connection tx = source.getConnection()) {
            tx.setAutoCommit(false);
            for (String id : ids) {
                append(tx, id);
            }
            tx.commit();
        }
    }

    Outbox.Publication publish(Lease lease, Frontier frontier) {
        return publish(lease, frontier, 4096, Map.of());
    }

    /** As a relay looks that expects nothing. */
    Outbox.Publication probe(Lease lease, Frontier frontier) {
        return outbox.publish(
                new Outbox.Request(lease, 0, frontier, false, false, 4096, 4 << 20, true, Map.of(), false));
    }

    Outbox.Publication publish(Lease lease, Frontier frontier, int limit, Map<StreamPartition, Long> tails) {
        return outbox.publish(new Outbox.Request(lease, 0, frontier, false, true, limit, 4 << 20, true, tails, false));
    }

    @Override
    public void close() {
        wakes.stop();
        leases.close();
    }
}
