// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

/**
 * What a child did lately, in all its partitions on this node: whether what it drives works. Safe for use by many threads.
 */
public final class Health {

    private long successes;
    private boolean suspect;

    /** Nothing has been tried. */
    public Health() {}

    /** Notes that what the child drives took something. */
    synchronized void succeeded() {
        successes++;
        suspect = false;
    }

    /** How often it did, so that one can tell later whether it has since. */
    synchronized long successes() {
        return successes;
    }

    /**
     * Notes that an event failed. If nothing has succeeded since it first did, what the child drives may be what is broken.
     *
     * @param successesBefore how often it had succeeded when the event first failed
     * @return whether the event is at fault: something has succeeded since it first failed, and nothing new failed after
     *     that
     */
    synchronized boolean isAtFault(long successesBefore) {
        suspect |= successes == successesBefore;
        return !suspect;
    }
}
