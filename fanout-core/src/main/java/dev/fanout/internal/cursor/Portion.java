// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.Settings;

/**
 * How much is read from the log at once: a slab, but for a while after one that could not be read.
 *
 * @param records how many records
 * @param bytes how many bytes
 */
record Portion(int records, int bytes) {

    static Portion slab(Settings settings) {
        return new Portion(settings.slabRecords(), settings.slabBytes());
    }

    boolean isSmallest() {
        return records == 1;
    }

    Portion fewer() {
        return new Portion(Math.max(records / 8, 1), Math.max(bytes / 8, 1));
    }

    Portion twice(Settings settings) {
        return new Portion(
                (int) Math.min(2L * records, settings.slabRecords()), (int) Math.min(2L * bytes, settings.slabBytes()));
    }
}
