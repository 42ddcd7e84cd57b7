// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import dev.fanout.EntityRef;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The children's cursors and gates. Both are ledgers: a new row is inserted, the highest counts, and older ones are
 * removed behind.
 *
 * @param <T> the transaction handle of the store
 */
public interface Cursors<T> {

    /**
     * Where a child stands in a partition, with what became of the records before.
     *
     * @param position the next position to examine
     * @param counts what became of those examined since the attachment
     */
    record Cursor(long position, Counts counts) {}

    /**
     * What became of records.
     *
     * @param applied took effect
     * @param gated were not newer than what had been applied
     * @param skipped were skipped by the projection
     * @param lost were not there any more
     */
    record Counts(long applied, long gated, long skipped, long lost) {

        /** Nothing yet. */
        public static final Counts NONE = new Counts(0, 0, 0, 0);

        /**
         * Adds two counts.
         *
         * @param more what to add
         * @return the sums
         */
        public Counts plus(Counts more) {
            return new Counts(applied + more.applied, gated + more.gated, skipped + more.skipped, lost + more.lost);
        }
    }

    /**
     * A step of a cursor.
     *
     * @param lease the lease of the child's partition
     * @param attachment the attachment whose epoch it belongs to
     * @param partition the partition of the stream
     * @param from the position that the ledger's head must have
     * @param to where the cursor then stands
     * @param counts what became of all records examined since the attachment
     * @param gates the new highest version applied, by entity number
     * @param passed the versions that those replace, as far as they are known, by entity number: rows to remove
     * @param last the record before {@code to} as it was delivered, which the log must still hold: the same event, published
     *     at the same time; empty where the step ends with records that were lost
     */
    record Advance(
            Lease lease,
            Layout.Attachment attachment,
            int partition,
            long from,
            long to,
            Counts counts,
            Map<Long, Long> gates,
            Map<Long, Long> passed,
            Optional<LogRecord> last) {

        /** Copies the maps. */
        public Advance {
            gates = Map.copyOf(gates);
            passed = Map.copyOf(passed);
        }
    }

    /**
     * Reads a cursor.
     *
     * @param attachment the child's attachment
     * @param partition the partition of the stream
     * @return the ledger's head; a child that has none stands at 0
     */
    Cursor cursor(Layout.Attachment attachment, int partition);

    /**
     * Reads gates.
     *
     * @param attachment the child's attachment
     * @param entities the entities' numbers
     * @return the highest version applied, for each that has one
     */
    Map<Long, Long> gates(Layout.Attachment attachment, Collection<Long> entities);

    /**
     * Writes gates and cursor in one transaction, fenced by the lease's token.
     *
     * @param advance the step
     * @throws FencedException if the lease was taken by another, or the epoch is over; nothing was written
     * @throws ForgottenException if the ledger's head is not where the step begins, or the log does not hold the step's last
     *     record; nothing was written
     */
    void advance(Advance advance);

    /**
     * Runs a transactional delivery and its step of the cursor in one transaction, fenced by the lease's token.
     *
     * @param delivery applies the events, and says the step, or null to roll back
     * @return whether it was committed
     * @throws FencedException if the lease was taken by another, or the epoch is over; nothing was written
     * @throws ForgottenException if the ledger's head is not where the step begins, or the log does not hold the step's last
     *     record; nothing was written
     * @throws Exception what the delivery threw; nothing was written
     */
    boolean advance(Delivery<T> delivery) throws Exception;

    /**
     * A transactional delivery.
     *
     * @param <T> the transaction handle of the store
     */
    @FunctionalInterface
    interface Delivery<T> {

        /**
         * Applies events.
         *
         * @param tx the delivery's transaction
         * @return the step to write, or null to roll back
         * @throws Exception any failure; it rolls back
         */
        @Nullable
        Advance in(T tx) throws Exception;
    }

    /**
     * Reads what a child has applied of an entity.
     *
     * @param attachment the child's attachment
     * @param entity which entity
     * @return the highest version applied, if any
     */
    OptionalLong applied(Layout.Attachment attachment, EntityRef entity);
}
