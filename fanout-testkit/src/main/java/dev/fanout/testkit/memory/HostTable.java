// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The application's own table, for transactional projections and for what else commits together with appends. */
final class HostTable {

    private final Map<String, String> rows = new HashMap<>();

    /** A row, as something to lock. */
    record Key(String key) {}

    /** What one transaction wrote. */
    static final class Writes {

        private final Map<String, String> rows = new HashMap<>();

        void put(String key, String value) {
            rows.put(key, value);
        }

        Optional<String> get(String key) {
            return Optional.ofNullable(rows.get(key));
        }
    }

    Optional<String> get(String key) {
        return Optional.ofNullable(rows.get(key));
    }

    void commit(Writes writes) {
        rows.putAll(writes.rows);
    }
}
