// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.projection;

import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A self-gated store in memory, made so that each of its virtues can be taken away. */
class Shelf implements Projection {

    record Item(long version, boolean deleted, String text) {}

    final Map<EntityRef, Item> items = new HashMap<>();
    int writes;
    boolean broken;

    @Override
    public Outcome apply(Event event) throws Exception {
        if (broken) {
            throw new IOException("the shelf is broken");
        }
        if (isNewer(event, items.get(event.entity()))) {
            put(event);
        }
        return Outcome.applied();
    }

    boolean isNewer(Event event, @Nullable Item there) {
        return there == null || event.gateVersion() > there.version();
    }

    void put(Event event) {
        writes++;
        items.put(
                event.entity(),
                new Item(event.gateVersion(), event.deleted(), event.payload().json()));
    }

    @Override
    public void reset() {
        items.clear();
        writes = 0;
    }

    @Nullable
    Object read(EntityRef entity) {
        Item item = items.get(entity);
        return item == null || item.deleted() ? null : item.text();
    }

    Object readAll() {
        return items.values().stream().filter(item -> !item.deleted()).count() + " items, " + writes + " writes";
    }
}
