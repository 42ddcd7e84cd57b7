// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import dev.fanout.TransactionalProjection;
import dev.fanout.testkit.memory.MemoryTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/** A projection that remembers what it was handed, and answers as it is told. Safe for use by many threads. */
final class Deliveries implements Projection {

    private final List<Event> events = new ArrayList<>();
    private final Set<UUID> acknowledged = new HashSet<>();
    private volatile Function<Event, Outcome> answer = event -> Outcome.applied();

    void answer(Function<Event, Outcome> how) {
        answer = how;
    }

    @Override
    public Outcome apply(Event event) {
        synchronized (this) {
            events.add(event);
        }
        Outcome outcome = answer.apply(event);
        if (outcome.acknowledged()) {
            synchronized (this) {
                acknowledged.add(event.id());
            }
        }
        return outcome;
    }

    /** The identities of events that were acknowledged at least once. */
    synchronized Set<UUID> acknowledged() {
        return Set.copyOf(acknowledged);
    }

    TransactionalProjection<MemoryTransaction> inTransaction() {
        return (event, tx) -> {
            Outcome outcome = apply(event);
            String key = "copy of " + event.entity().id();
            tx.put(key, tx.get(key).orElse("") + event.version());
            return outcome;
        };
    }

    synchronized int count() {
        return events.size();
    }

    synchronized List<Event> all() {
        return List.copyOf(events);
    }

    synchronized List<Long> versionsOf(String id) {
        return events.stream()
                .filter(event -> event.entity().id().equals(id))
                .map(Event::version)
                .toList();
    }

    synchronized List<String> types() {
        return events.stream().map(Event::type).toList();
    }

    /** That each entity's versions came densely from 1, each once. */
    synchronized void assertDenseAndOnce() {
        Map<String, Long> last = new HashMap<>();
        for (Event event : events) {
            long before = last.getOrDefault(event.entity().id(), 0L);
            assertThat(event.version()).as("version of %s", event.entity()).isEqualTo(before + 1);
            last.put(event.entity().id(), event.version());
        }
    }
}
