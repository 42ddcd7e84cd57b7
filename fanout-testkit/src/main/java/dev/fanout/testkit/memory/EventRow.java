// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.Appended;
import dev.fanout.Codec;
import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.Payload;
import dev.fanout.spi.Appends.NewEvent;
import java.time.Instant;

/** One fact as stored; it is never updated. */
record EventRow(EntityRef entity, long entityNo, long version, NewEvent facts, Instant occurredAt) {

    Event event(Codec codec) {
        return new Event(
                facts.id(),
                entity,
                version,
                facts.type(),
                Payload.of(facts.payload(), codec),
                facts.headers(),
                occurredAt,
                facts.deleted());
    }

    Appended.Id id() {
        return new Appended.Id(facts.id(), version);
    }

    int size() {
        return facts.size();
    }
}
