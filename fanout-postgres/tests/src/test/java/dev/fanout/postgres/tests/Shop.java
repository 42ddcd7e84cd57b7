// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests;

import dev.fanout.Codec;
import dev.fanout.Entity;
import dev.fanout.EntityRef;
import dev.fanout.Settings;
import dev.fanout.StreamSpec;
import dev.fanout.internal.json.Codecs;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.spi.Appends.EntityAppend;
import dev.fanout.spi.Appends.NewEvent;
import dev.fanout.spi.Appends.Result;
import dev.fanout.spi.Appends.Route;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Layout;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** An opened store with one stream of assets, and shorthands to append to it. */
public final class Shop implements AutoCloseable {

    public static final Codec CODEC = Codecs.detect();

    public static final StreamSpec ASSETS =
            StreamSpec.named("assets").entities("asset").partitions(4);

    private final PostgresStore store;
    private final Layout layout;

    public Shop(PostgresStore store) {
        this(store, Settings.defaults());
    }

    public Shop(PostgresStore store, Settings settings) {
        this.store = store;
        this.layout = store.open(new Declaration(List.of(ASSETS), List.of(), CODEC, settings));
    }

    public static Shop on(DataSource dataSource) {
        return new Shop(PostgresStore.of(dataSource));
    }

    public static Declaration declaration(StreamSpec... streams) {
        return new Declaration(List.of(streams), List.of(), CODEC, Settings.defaults());
    }

    public PostgresStore store() {
        return store;
    }

    public Layout layout() {
        return layout;
    }

    /** Appends events of these types to an asset; answers the version after the last. */
    public long append(Connection tx, String id, String... types) {
        return written(store.appends().append(tx, List.of(asset(id, types))).get(0));
    }

    public static long written(Result result) {
        return ((Result.Written) result).version();
    }

    public EntityAppend asset(String id, String... types) {
        return asset(id, OptionalLong.empty(), Optional.empty(), types);
    }

    public EntityAppend asset(String id, OptionalLong expecting, Optional<String> key, String... types) {
        return new EntityAppend(
                EntityRef.of("asset", id),
                expecting,
                OptionalLong.empty(),
                Optional.of("{\"id\": 1}"),
                Stream.of(types).map(type -> event(type, "{\"fact\": true}")).toList(),
                key);
    }

    public NewEvent event(String type, String payload) {
        int assets = layout.stream("assets").orElseThrow().no();
        return new NewEvent(UUID.randomUUID(), type, payload, Map.of(), false, List.of(new Route(0, assets, 0)));
    }

    public Optional<Entity> find(String id) {
        try {
            return store.appends().inTransaction(tx -> store.appends().find(tx, EntityRef.of("asset", id)));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public long version(String id) {
        return find(id).map(Entity::version).orElse(0L);
    }

    @Override
    public void close() {
        store.close();
    }
}
