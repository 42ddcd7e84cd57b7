// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.children;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A projection that fails as it is told, and writes down what it took. Safe for use by many threads. */
final class Unruly implements Projection {

    private final List<Event> taken = new ArrayList<>();
    private final Set<String> broken = ConcurrentHashMap.newKeySet();
    private volatile boolean down;
    private volatile Projection conduct = event -> Outcome.applied();

    @Override
    public Outcome apply(Event event) throws Exception {
        if (down) {
            return Outcome.failed(new IllegalStateException("the store is down"));
        }
        String id = event.entity().id();
        if (broken.contains(id)) {
            return Outcome.failed(new IllegalStateException(id + " is broken"));
        }
        Outcome outcome = conduct.apply(event);
        if (outcome.acknowledged()) {
            take(event);
        }
        return outcome;
    }

    private synchronized void take(Event event) {
        taken.add(event);
    }

    void breaks(String... ids) {
        broken.addAll(List.of(ids));
    }

    void heals() {
        broken.clear();
    }

    boolean isBroken(String id) {
        return broken.contains(id);
    }

    void isDown(boolean now) {
        down = now;
    }

    /** What it does with events that are not broken. */
    void behaves(Projection how) {
        conduct = how;
    }

    synchronized List<Event> taken() {
        return List.copyOf(taken);
    }

    synchronized int count() {
        return taken.size();
    }

    /** The versions of an asset that it took, in the order of taking. */
    List<Long> versions(String asset) {
        return taken().stream()
                .filter(event -> event.entity().id().equals(asset))
                .map(Event::version)
                .toList();
    }

    /** Each asset's versions 1, 2, 3 .. once and in order. */
    void assertTakenOnceInOrder() {
        Map<String, Long> last = new HashMap<>();
        for (Event event : taken()) {
            long before = last.getOrDefault(event.entity().id(), 0L);
            assertThat(event.version()).as("%s after v%s", event, before).isEqualTo(before + 1);
            last.put(event.entity().id(), event.version());
        }
    }
}
