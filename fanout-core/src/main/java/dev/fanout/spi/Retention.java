// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import java.time.Instant;

/** Removes published records that are older than their stream keeps them. */
public interface Retention {

    /**
     * Reads the clock that records are timed by.
     *
     * @return the database's time
     */
    Instant now();

    /**
     * A batch that was removed.
     *
     * @param records how many records
     * @param next the position of the oldest record that is known to be kept: where the next batch begins
     */
    record Batch(long records, long next) {}

    /**
     * Removes the oldest records of a partition in position order, up to the first that is not old enough, and never the last
     * one: the partition's head is read from it. Locks nothing but the rows that it removes, and waits for nobody.
     *
     * @param lease the lease of the janitor
     * @param partition which partition
     * @param from a position below which nothing is kept any more, as far as known; 0 where nothing is
     * @param before records published at or after this moment are kept
     * @param limit how many records at the most
     * @return what was removed
     * @throws FencedException if the lease was taken by another; nothing was removed
     */
    Batch remove(Lease lease, StreamPartition partition, long from, Instant before, int limit);
}
