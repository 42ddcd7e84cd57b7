// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * What one append wrote, once its transaction commits.
 *
 * @param entity the entity appended to
 * @param events the events in order, at least one
 * @param streams the streams that the events go to; empty for history only. Of a repeat, those that the earlier append went to, as
 *     far as this process declares them
 * @param repeated whether the idempotency key had been used before: then these are the events of that earlier append
 *     and nothing was written now
 */
public record Appended(EntityRef entity, List<Id> events, Set<String> streams, boolean repeated) {

    /**
     * Names one appended event.
     *
     * @param event the event's identity
     * @param version the entity's version that it made
     */
    public record Id(UUID event, long version) {

        /** Checks that the event is named. */
        public Id {
            Objects.requireNonNull(event, "event");
        }
    }

    /** Checks that there is at least one event, and copies the list. */
    public Appended {
        Objects.requireNonNull(entity, "entity");
        events = List.copyOf(events);
        streams = Set.copyOf(streams);
        if (events.isEmpty()) {
            throw new IllegalArgumentException("an append has at least one event");
        }
    }

    /**
     * Returns the entity's version after the append: what a later append would expect.
     *
     * @return the version of the last event
     */
    public long version() {
        return events.get(events.size() - 1).version();
    }
}
