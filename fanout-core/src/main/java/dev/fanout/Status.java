// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.util.List;

/**
 * How far everything is, at one moment: the distance between the primary and each derived store as a number.
 *
 * @param waiting how many rows wait in the outbox, committed and not yet published
 * @param children each partition of each attached child that this process can run
 */
public record Status(long waiting, List<Child> children) {

    /**
     * One child in one partition.
     *
     * @param child the child's name
     * @param partition the partition of its stream
     * @param head the position behind the last published record
     * @param position the next position that the child will examine
     * @param applied how many events took effect since the attachment
     * @param gated how many were not newer than what had been applied
     * @param skipped how many the projection skipped
     * @param filtered how many the child's filter kept out
     * @param parked how many are set aside at the moment
     * @param discarded how many were set aside and given up
     * @param lost how many were not in the log any more
     * @param needsRebuild whether the child, in any partition, missed records since its attachment
     */
    public record Child(
            String child,
            int partition,
            long head,
            long position,
            long applied,
            long gated,
            long skipped,
            long filtered,
            long parked,
            long discarded,
            long lost,
            boolean needsRebuild) {

        /**
         * Returns the distance behind the stream.
         *
         * @return how many published records the child has not examined
         */
        public long pending() {
            return Math.max(0, head - position);
        }
    }

    /** Copies the list. */
    public Status {
        children = List.copyOf(children);
    }

    /**
     * Returns whether nothing waits anywhere.
     *
     * @return true if the outbox is empty and every child is at its stream's head
     */
    public boolean isDrained() {
        return waiting == 0 && children.stream().allMatch(child -> child.pending() == 0);
    }
}
