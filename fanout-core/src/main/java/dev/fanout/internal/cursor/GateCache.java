// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.spi.Cursors.Gate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The owner's memory of the gates it has written: the least recently used are forgotten first. The owner alone writes them,
 * under its lease, so what is remembered is what is stored.
 */
final class GateCache {

    /** Twice a slab: a whole slab of different entities fits, and the one before. */
    static final int CAPACITY = 8_192;

    private final Map<Long, Gate> gates = new LinkedHashMap<>(1_024, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Gate> eldest) {
            return size() > CAPACITY;
        }
    };

    /** Returns where entities stand; those that are not remembered are read, all at once. */
    Map<Long, Gate> of(Collection<Long> entities, Function<Collection<Long>, Map<Long, Gate>> read) {
        Map<Long, Gate> known = new LinkedHashMap<>();
        List<Long> unknown = new ArrayList<>();
        for (Long entity : entities) {
            Gate gate = gates.get(entity);
            if (gate == null) {
                unknown.add(entity);
            } else {
                known.put(entity, gate);
            }
        }
        if (!unknown.isEmpty()) {
            Map<Long, Gate> stored = read.apply(unknown);
            for (Long entity : unknown) {
                known.put(entity, stored.getOrDefault(entity, Gate.OPEN));
            }
        }
        return known;
    }

    /** Takes in versions that were just written; none of these entities is parked. */
    void applied(Map<Long, Long> newer) {
        newer.forEach((entity, version) -> gates.put(entity, new Gate(version, false)));
    }

    /** Forgets entities that were parked, or are no longer. */
    void changed(Collection<Long> entities) {
        entities.forEach(gates::remove);
    }

    void clear() {
        gates.clear();
    }
}
