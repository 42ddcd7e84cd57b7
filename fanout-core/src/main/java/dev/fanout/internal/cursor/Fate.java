// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.spi.Cursors.Counts;

/** What becomes of a record. */
enum Fate {
    /** Not settled: the cursor stops before it. */
    PENDING,
    APPLIED,
    GATED,
    SKIPPED,
    FILTERED,
    PARKED;

    /** One record of this fate, as it is counted. */
    Counts asCounts() {
        return switch (this) {
            case PENDING -> Counts.NONE;
            case APPLIED -> new Counts(1, 0, 0, 0, 0, 0, 0);
            case GATED -> new Counts(0, 1, 0, 0, 0, 0, 0);
            case SKIPPED -> new Counts(0, 0, 1, 0, 0, 0, 0);
            case FILTERED -> new Counts(0, 0, 0, 1, 0, 0, 0);
            case PARKED -> new Counts(0, 0, 0, 0, 1, 0, 0);
        };
    }
}
