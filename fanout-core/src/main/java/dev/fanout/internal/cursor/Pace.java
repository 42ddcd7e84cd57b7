// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import java.time.Duration;

/**
 * How many records a step takes, so that it lasts about a second whatever the projection's speed: a close, a lost lease or a
 * hanging call is then noticed in time, and what a crash repeats stays small.
 */
final class Pace {

    private static final int FIRST = 512;
    private static final long GOAL = Duration.ofSeconds(1).toNanos();

    private final int most;
    private int records;

    Pace(int most) {
        this.most = most;
        this.records = Math.min(FIRST, most);
    }

    int records() {
        return records;
    }

    /** Notes how long a step took that took {@code count} records. */
    void took(int count, long nanos) {
        if (nanos > GOAL) {
            long affordable = Math.max(1, count * GOAL / nanos);
            records = (int) Math.min(records, affordable);
        } else if (count >= records && nanos < GOAL / 4) {
            records = (int) Math.min(most, 2L * records);
        }
    }
}
