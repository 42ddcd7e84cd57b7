// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.Codec;
import dev.fanout.Entity;
import dev.fanout.EntityRef;
import dev.fanout.Payload;
import dev.fanout.spi.Appends.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Entities, their events, and the idempotency keys of those. */
final class EntityTable {

    private final Map<EntityRef, Row> rows = new HashMap<>();
    private final Map<EntityRef, List<EventRow>> events = new HashMap<>();
    private final Map<Long, EntityRef> names = new HashMap<>();
    private final Map<Key, Result.Repeated> keys = new HashMap<>();
    private long nextNo = 1;

    /** An entity as stored. */
    record Row(long no, long version, OptionalLong sourceVersion, Optional<String> state, boolean deleted) {

        Entity entity(EntityRef ref, Codec codec) {
            return new Entity(ref, version, sourceVersion, state.map(json -> Payload.of(json, codec)), deleted);
        }
    }

    /** An idempotency key, unique per entity. */
    record Key(EntityRef entity, String key) {}

    /** What one transaction wrote, or one append means to. */
    static final class Writes {

        final Map<EntityRef, Row> rows = new HashMap<>();
        final List<EventRow> events = new ArrayList<>();
        final Map<Key, Result.Repeated> keys = new HashMap<>();

        void addAll(Writes more) {
            rows.putAll(more.rows);
            events.addAll(more.events);
            keys.putAll(more.keys);
        }
    }

    Optional<Row> row(EntityRef entity) {
        return Optional.ofNullable(rows.get(entity));
    }

    Optional<Result.Repeated> key(Key key) {
        return Optional.ofNullable(keys.get(key));
    }

    List<EventRow> history(EntityRef entity) {
        return events.getOrDefault(entity, List.of());
    }

    Optional<EntityRef> name(long no) {
        return Optional.ofNullable(names.get(no));
    }

    Optional<EventRow> event(long no, long version) {
        return name(no).flatMap(entity -> history(entity).stream()
                .filter(event -> event.version() == version)
                .findFirst());
    }

    /** A sequence: what a transaction drew and did not commit is a gap for ever. */
    long nextNo() {
        return nextNo++;
    }

    void commit(Writes writes) {
        rows.putAll(writes.rows);
        writes.rows.forEach((entity, row) -> names.put(row.no(), entity));
        keys.putAll(writes.keys);
        writes.events.forEach(event ->
                events.computeIfAbsent(event.entity(), e -> new ArrayList<>()).add(event));
    }
}
