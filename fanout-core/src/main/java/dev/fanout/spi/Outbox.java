// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The relay's side of the store: from the outbox to the log. */
public interface Outbox {

    /**
     * What a relay asks for.
     *
     * @param lease the lane's lease
     * @param lane the lane
     * @param frontier how far the lane has been published; stored, for a new leader, if this look publishes anything
     * @param full whether to look at the whole outbox instead of only beyond the frontier (the backstop)
     * @param expected whether there is reason to expect rows: somebody told of them, or the last look left some. Without, a
     *     store may first look whether there are any, if that costs it less than to publish none
     * @param limit how many rows at the most
     * @param bytes how many bytes of payload and headers to return at the most; the events from the first one that exceeds them
     *     are published all the same
     * @param withEvents whether to return the events, for cursors of this node that wait for them
     * @param tails for each partition that the relay remembers, the position behind its last record: what the log
     *     must agree with
     * @param announce whether to tell other nodes that there is something to read
     */
    record Request(
            Lease lease,
            int lane,
            Frontier frontier,
            boolean full,
            boolean expected,
            int limit,
            long bytes,
            boolean withEvents,
            Map<StreamPartition, Long> tails,
            boolean announce) {

        /** Copies the map. */
        public Request {
            tails = Map.copyOf(tails);
        }
    }

    /**
     * One row that was published.
     *
     * @param id its outbox id
     * @param at its partition
     * @param position its position there
     * @param record the record; empty where it was not asked for, or beyond the byte limit
     */
    record Placed(long id, StreamPartition at, long position, Optional<LogRecord> record) {}

    /**
     * What one look found and published, all seen by one snapshot.
     *
     * @param placed the rows by ascending id, empty if there were none
     * @param running the lowest transaction id that was still running in the snapshot: all below have ended
     * @param next a transaction id above every one that was given out before the look; meaningful only if rows were
     *     placed. In PostgreSQL it is the publication's own id, drawn after its snapshot, and not the snapshot's
     *     {@code xmax}: that is only the highest id that has <em>ended</em>, plus one, and an append that still runs
     *     may be above it
     */
    record Publication(List<Placed> placed, long running, long next) {

        /** Copies the list. */
        public Publication {
            placed = List.copyOf(placed);
        }
    }

    /**
     * Moves visible rows of the lane, by ascending id, from the outbox to the ends of their partitions. One statement,
     * one snapshot, one transaction, committed only if the lease's token is still the highest.
     *
     * @param request what to publish
     * @return what was published, durable once a later synchronous commit is
     * @throws FencedException if the lease was taken by another; nothing was published
     * @throws ForgottenException if the log's tail is below what the relay remembers; nothing was published
     * @throws UnreadableException if the events that were asked for can't be read; something may have been published
     */
    Publication publish(Request request);

    /**
     * Reads the newest stored frontier of a lane.
     *
     * @param lane the lane
     * @return the frontier, {@link Frontier#START} if there is none
     */
    Frontier frontier(int lane);

    /**
     * Counts the rows that wait in a lane's outbox. Reads all of them: for people and tests, not for loops.
     *
     * @param lane the lane
     * @return how many
     */
    long waiting(int lane);
}
