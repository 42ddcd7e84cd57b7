// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import java.util.OptionalLong;

/**
 * How a node hears of what others did. A wake carries no truth, only that a look is worth while; it may come twice, or
 * for nothing, or (while the connection is being made again) late.
 */
public interface Wakes {

    /** Hears wakes, on the store's own thread: it only hands on. */
    interface Hearer {

        /**
         * Rows were committed into a lane's outbox.
         *
         * @param lane the lane
         */
        void appended(int lane);

        /** Another node published records. */
        void published();

        /** Another node gave leases back, or left. */
        void released();

        /** Something is asked for parked events. */
        default void asked() {}

        /**
         * The connection was made, or made again: everything may have been missed. Listening has begun before this is
         * called.
         */
        void connected();

        /**
         * Is told that the connection was lost, before it is made again. Commits that did not wait for the disk may be lost
         * with it: who acts outside the store on what it remembers of them reads it again first.
         */
        default void disconnected() {}
    }

    /**
     * Begins to listen, and keeps at it: a lost connection is noticed within 15 seconds and made again with growing,
     * jittered pauses, never more than once a second.
     *
     * @param hearer whom to tell
     */
    void listen(Hearer hearer);

    /** Stops listening and lets go of every lane. */
    void stop();

    /**
     * Asks to hold a lane: while it is held, appends skip their notification, and the relay must look by itself. Does
     * not wait: the store takes hold when it can.
     *
     * @param lane the lane
     * @return whether the lane is held now
     */
    boolean hold(int lane);

    /**
     * Lets go of a lane, and draws a transaction id afterwards.
     *
     * @param lane the lane
     * @return that id: every append that skipped its notification has a lower one; empty if the lane was not held (or
     *     the connection is lost), which proves nothing
     */
    OptionalLong letGo(int lane);
}
