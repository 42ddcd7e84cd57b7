// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.await;

import dev.fanout.Applied;
import dev.fanout.EntityRef;
import dev.fanout.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Who waits in this process for a child to apply an event. Safe for use by many threads. */
public final class Waits {

    private record Key(String child, EntityRef entity) {}

    /**
     * One who waits.
     *
     * @param version the version waited for
     * @param done completed when the child has applied it, or a newer one, or has set the entity aside
     */
    public record Wait(long version, CompletableFuture<Applied> done) {}

    private final Map<Key, List<Wait>> waits = new HashMap<>();

    /** Nobody waits yet. */
    public Waits() {}

    /**
     * Begins to wait.
     *
     * @param child which child
     * @param entity which entity
     * @param version which version
     * @return the wait, to be ended with {@link #end}
     */
    public synchronized Wait begin(String child, EntityRef entity, long version) {
        Wait wait = new Wait(version, new CompletableFuture<>());
        waits.computeIfAbsent(new Key(child, entity), k -> new ArrayList<>()).add(wait);
        return wait;
    }

    /**
     * Ends a wait, come what may.
     *
     * @param child which child
     * @param entity which entity
     * @param wait the wait
     */
    public synchronized void end(String child, EntityRef entity, Wait wait) {
        Key key = new Key(child, entity);
        List<Wait> all = waits.getOrDefault(key, List.of());
        all.remove(wait);
        if (all.isEmpty()) {
            waits.remove(key);
        }
    }

    /**
     * Tells that a child has applied events, durably as far as this process knows.
     *
     * @param child which child
     * @param events the events
     */
    public synchronized void applied(String child, List<Event> events) {
        if (waits.isEmpty()) {
            return;
        }
        for (Event event : events) {
            for (Wait wait : waits.getOrDefault(new Key(child, event.entity()), List.of())) {
                if (wait.version() <= event.version()) {
                    wait.done().complete(Applied.APPLIED);
                }
            }
        }
    }

    /**
     * Tells that a child has set an entity aside.
     *
     * @param child which child
     * @param entity which entity
     */
    public synchronized void parked(String child, EntityRef entity) {
        waits.getOrDefault(new Key(child, entity), List.of())
                .forEach(wait -> wait.done().complete(Applied.PARKED));
    }
}
