// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import java.util.List;

/**
 * How far a lane has been published: every id up to the mark is published or was never committed, but for those in the
 * missing ranges, which may still commit.
 *
 * @param mark the highest id published
 * @param missing the ranges below it that may still commit, ascending, not overlapping
 */
public record Frontier(long mark, List<Range> missing) {

    /** Where a lane begins. */
    public static final Frontier START = new Frontier(0, List.of());

    /**
     * Ids that have not been seen.
     *
     * @param from the first
     * @param to the last
     */
    public record Range(long from, long to) {}

    /** Copies the list. */
    public Frontier {
        missing = List.copyOf(missing);
    }
}
