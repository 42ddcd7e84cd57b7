// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import java.time.Duration;

/**
 * How much a step takes, so that it lasts about a second whatever the projection's speed: a close, a lost lease or a hanging
 * call is then noticed in time, and what a crash repeats stays small. Less for a while after a slab that could not be read.
 */
final class Pace {

    private static final int FIRST = 512;
    private static final long GOAL = Duration.ofSeconds(1).toNanos();

    private final int mostRecords;
    private final int mostBytes;
    private int records;
    private int bytes;

    Pace(int mostRecords, int mostBytes) {
        this.mostRecords = mostRecords;
        this.mostBytes = mostBytes;
        this.records = Math.min(FIRST, mostRecords);
        this.bytes = mostBytes;
    }

    int records() {
        return records;
    }

    int bytes() {
        return bytes;
    }

    /** Notes how long a step took that took {@code count} records. */
    void took(int count, long nanos) {
        bytes = (int) Math.min(2L * bytes, mostBytes);
        if (nanos > GOAL) {
            long affordable = Math.max(1, count * GOAL / nanos);
            records = (int) Math.min(records, affordable);
        } else if (count >= records && nanos < GOAL / 2) {
            records = (int) Math.min(mostRecords, 2L * records);
        }
    }

    boolean isSlowest() {
        return records == 1;
    }

    /** By an eighth, since each try may cost the server a second. */
    void slower() {
        records = Math.max(records / 8, 1);
        bytes = Math.max(bytes / 8, 1);
    }
}
