// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import dev.fanout.StartRefusedException;
import java.time.Duration;

/** What no stream and no child may exceed, checked where things are declared and again where they are stored. */
public final class Limits {

    /** More children than this on one stream are refused: each costs a cursor per partition on some node. */
    public static final int CHILDREN = 108;

    /** How much longer than the longest delay of its children a stream keeps its records: time to catch up. */
    public static final Duration BEYOND_DELAY = Duration.ofHours(1);

    private Limits() {}

    /**
     * Refuses too many children.
     *
     * @param stream the stream's name
     * @param children how many would be attached to it
     * @throws StartRefusedException if that is more than {@link #CHILDREN}
     */
    public static void checkChildren(String stream, long children) {
        if (children > CHILDREN) {
            throw new StartRefusedException("stream '" + stream + "' has " + children + " children; at most " + CHILDREN
                    + " are allowed: detach one, or hang some on a child stream");
        }
    }

    /**
     * Refuses a retention below the floor.
     *
     * @param stream the stream's name
     * @param retention how long it keeps its records
     * @param child the child with a delay
     * @param delay its delay; zero is never refused
     * @throws StartRefusedException if the records could be gone before the child is through with them
     */
    public static void checkRetention(String stream, Duration retention, String child, Duration delay) {
        Duration floor = delay.plus(BEYOND_DELAY);
        if (!delay.isZero() && retention.compareTo(floor) < 0) {
            throw new StartRefusedException("stream '" + stream + "' keeps its records for " + retention
                    + ", child '" + child + "' gets them after " + delay
                    + ": a stream keeps its records for the longest"
                    + " delay of its children and " + BEYOND_DELAY + " more; set retention(..) to " + floor
                    + " or longer");
        }
    }
}
