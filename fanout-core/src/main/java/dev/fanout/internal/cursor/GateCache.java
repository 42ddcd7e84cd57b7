// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

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

    private final Map<Long, Long> versions = new LinkedHashMap<>(1_024, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > CAPACITY;
        }
    };

    /** Returns the versions last applied, 0 for none; those that are not remembered are read, all at once. */
    Map<Long, Long> of(Collection<Long> entities, Function<Collection<Long>, Map<Long, Long>> read) {
        Map<Long, Long> known = new LinkedHashMap<>();
        List<Long> unknown = new ArrayList<>();
        for (Long entity : entities) {
            Long version = versions.get(entity);
            if (version == null) {
                unknown.add(entity);
            } else {
                known.put(entity, version);
            }
        }
        if (!unknown.isEmpty()) {
            Map<Long, Long> stored = read.apply(unknown);
            for (Long entity : unknown) {
                known.put(entity, stored.getOrDefault(entity, 0L));
            }
        }
        return known;
    }

    void applied(Map<Long, Long> newer) {
        versions.putAll(newer);
    }

    void clear() {
        versions.clear();
    }
}
