// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import dev.fanout.Codec;
import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes events for unit tests of projections, as an engine would deliver them. */
public final class Events {

    private static final Codec CODEC = new PlainCodec();

    private Events() {}

    /**
     * Makes an event.
     *
     * @param entity which entity
     * @param version the version that it made
     * @param type what happened
     * @param payload the facts, encoded by Jackson 3; may be null
     * @return the event; its id is the same for the same entity and version
     */
    public static Event of(EntityRef entity, long version, String type, @Nullable Object payload) {
        return event(entity, version, type, payload, false);
    }

    /**
     * Makes a tombstone.
     *
     * @param entity which entity
     * @param version the version that it made
     * @return the event, of type {@code <entity type>.deleted}
     */
    public static Event tombstone(EntityRef entity, long version) {
        return event(entity, version, entity.type() + ".deleted", null, true);
    }

    private static Event event(EntityRef entity, long version, String type, @Nullable Object payload, boolean deleted) {
        UUID id = UUID.nameUUIDFromBytes((entity + "@" + version).getBytes(StandardCharsets.UTF_8));
        Instant at = Instant.EPOCH.plusSeconds(version);
        return new Event(id, entity, version, type, Payload.of(CODEC.encode(payload), CODEC), Map.of(), at, deleted);
    }
}
