// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * One immutable fact about one entity.
 *
 * @param id the event's own identity, the same at every delivery: what a store that can't compare versions
 *     deduplicates by
 * @param entity what changed
 * @param version the entity's version that this event made: dense from 1, in the order in which the transactions of
 *     the entity committed
 * @param type what happened, a declared string such as {@code asset.renamed}
 * @param payload the facts, as JSON
 * @param headers text beside the facts (trace context, causation); never null, may be empty
 * @param occurredAt the database's clock when the event was appended; for people, never for order
 * @param deleted whether this is a tombstone: the entity is gone as of this version. A store that compares versions
 *     keeps the tombstone's for as long as a delayed write could still arrive
 */
public record Event(
        UUID id,
        EntityRef entity,
        long version,
        String type,
        Payload payload,
        Map<String, String> headers,
        Instant occurredAt,
        boolean deleted) {

    /** Checks that nothing is null and copies the headers. */
    public Event {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(entity, "entity");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(payload, "payload");
        headers = Map.copyOf(headers);
        Objects.requireNonNull(occurredAt, "occurredAt");
    }

    /**
     * Returns the number that a foreign store compares to refuse older writes (external version, compare-and-set). It
     * grows with {@link #version()} for one entity and means nothing between entities. Compare by it rather than by
     * the version: it stays comparable where versions would not.
     *
     * @return the number to compare, always positive
     */
    public long gateVersion() {
        return version;
    }
}
