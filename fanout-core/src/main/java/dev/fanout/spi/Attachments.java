// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import java.util.List;

/**
 * Children that come and go. Cursor, gates and parked events belong to one attachment and to no other.
 *
 * <p>Each change of an attachment is one transaction: it locks the attachment's row, then raises the tokens of all leases of
 * the child (making those that were never taken), so that no owner of the attachment before commits again; and it tells the
 * nodes. Attachments are locked before leases, by everybody.
 */
public interface Attachments {

    /** Where an attachment is. */
    enum State {
        /** Delivered to. */
        ATTACHED,
        /** Attached, and its cursors stand still. */
        PAUSED,
        /** Over. Nothing but attaching it again, under a new number and epoch, brings it back. */
        DETACHED
    }

    /**
     * A child as stored.
     *
     * @param attachment its attachment
     * @param kind how it is gated
     * @param state where it is
     * @param needsRebuild whether records were gone before it got them
     */
    record Stored(Layout.Attachment attachment, String kind, State state, boolean needsRebuild) {}

    /**
     * Reads all children, those that were detached too.
     *
     * @return the children by name
     */
    List<Stored> all();

    /**
     * Attaches a child that is new, or was detached: under a new number and the epoch given, each partition at the tail or at
     * the beginning as one statement sees it.
     *
     * @param child the child; its delay is stored with it
     * @return false if it is attached already; then nothing was changed
     * @throws dev.fanout.StartRefusedException if the stream is not stored, or has no room, or does not keep its records
     *     for long enough
     */
    boolean attach(Declaration.Child child);

    /**
     * Detaches a child, until it is attached again.
     *
     * @param child its name
     * @return false if it was not attached
     */
    boolean detach(String child);

    /**
     * Lets a child's cursors stand still, or go on where they stood.
     *
     * @param child its name
     * @param paused whether they stand still
     * @return false if it is not attached
     */
    boolean pause(String child, boolean paused);

    /** What there is to a stream that is to be deleted. */
    sealed interface Deletion {

        /** It is gone, and its records with it. */
        record Gone() implements Deletion {}

        /**
         * Its children are detached, and some records removed: go on.
         *
         * @param removed how many records were removed by this call
         */
        record Going(long removed) implements Deletion {}

        /** There is none of that name. */
        record Unknown() implements Deletion {}

        /**
         * Other streams hang on it.
         *
         * @param children the attached children of it that are streams
         */
        record HasStreams(List<String> children) implements Deletion {

            /** Copies the list. */
            public HasStreams {
                children = List.copyOf(children);
            }
        }

        /**
         * Events wait in the outbox that have not been published to it.
         *
         * @param events how many, counted up to a thousand
         */
        record Awaited(long events) implements Deletion {}
    }

    /**
     * Deletes a stream, a part at a time, each in a transaction of its own: first its children are detached, and the child that
     * publishes to it; then its records go in bounded batches; and, once none are left and the outbox holds none for it,
     * children and stream.
     *
     * @param stream its name
     * @param limit how many records to remove at the most
     * @return what became of it; nothing was changed unless it is gone or going
     */
    Deletion delete(String stream, int limit);

    /**
     * What a sweep removed.
     *
     * @param rows cursors, gates, parked events and leases that belonged to nothing any more
     * @param records published records of streams that are no more: somebody still appends to them
     */
    record Swept(long rows, long records) {}

    /**
     * Removes what belongs to no attachment and to no stream any more: only on the primary, in bounded batches, each under the
     * lock of the attachment's row where there is one, with its state read again there. What is locked just now is left to
     * the next sweep.
     *
     * @param limit how many rows of each kind at the most
     * @return what was removed
     */
    Swept sweep(int limit);
}
