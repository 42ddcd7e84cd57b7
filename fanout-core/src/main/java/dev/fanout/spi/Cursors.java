// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import dev.fanout.EntityRef;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The children's cursors, gates and parked events. Cursors and gates are ledgers: a new row is inserted, the highest
 * counts, and older ones are removed behind.
 *
 * @param <T> the transaction handle of the store
 */
public interface Cursors<T> {

    /**
     * Where a child stands in a partition: a row of the ledger.
     *
     * @param step the row's number, dense from 0: what a step begins at must be the newest
     * @param position the next position to examine
     * @param counts what became of those examined since the attachment
     */
    record Cursor(long step, long position, Counts counts) {

        /** Where a child without a row stands. */
        public static final Cursor START = new Cursor(0, 0, Counts.NONE);

        /**
         * Returns the row behind this one.
         *
         * @param to its position
         * @param more what became of the records between, and of parked ones
         * @return the next row
         */
        public Cursor next(long to, Counts more) {
            return new Cursor(step + 1, to, counts.plus(more));
        }
    }

    /**
     * What became of records. Their sum is the number of records examined since the attachment.
     *
     * @param applied took effect
     * @param gated were not newer than what had been applied
     * @param skipped were skipped by the projection
     * @param filtered did not pass the child's filter
     * @param parked are set aside; falls when parked events are requeued or discarded
     * @param discarded were parked and then given up
     * @param lost were not there any more
     */
    record Counts(long applied, long gated, long skipped, long filtered, long parked, long discarded, long lost) {

        /** Nothing yet. */
        public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0);

        /**
         * Adds two counts.
         *
         * @param more what to add; may be negative where something is taken back
         * @return the sums
         */
        public Counts plus(Counts more) {
            return new Counts(
                    applied + more.applied,
                    gated + more.gated,
                    skipped + more.skipped,
                    filtered + more.filtered,
                    parked + more.parked,
                    discarded + more.discarded,
                    lost + more.lost);
        }

        /**
         * Takes counts away.
         *
         * @param less what to take away
         * @return the differences
         */
        public Counts minus(Counts less) {
            return new Counts(
                    applied - less.applied,
                    gated - less.gated,
                    skipped - less.skipped,
                    filtered - less.filtered,
                    parked - less.parked,
                    discarded - less.discarded,
                    lost - less.lost);
        }

        /**
         * Returns how many records these are.
         *
         * @return the sum
         */
        public long sum() {
            return applied + gated + skipped + filtered + parked + discarded + lost;
        }
    }

    /**
     * Where an entity stands with a child.
     *
     * @param version the highest version applied, 0 for none
     * @param parked whether the entity is set aside, so that its later events queue up behind those parked
     */
    record Gate(long version, boolean parked) {

        /** Of an entity that the child has not met. */
        public static final Gate OPEN = new Gate(0, false);
    }

    /**
     * A step of a cursor: all of it is written, or nothing.
     *
     * @param lease the lease of the child's partition
     * @param attachment the attachment whose epoch it belongs to
     * @param partition the partition of the stream
     * @param from what the ledger's head must be
     * @param to the row to add; at the same position where only parked events move
     * @param gates the new highest version applied, by entity number
     * @param passed the versions that those replace, as far as they are known, by entity number: rows to remove
     * @param parking what is set aside, and what no longer is
     * @param forwarded what is published to a child stream
     * @param last the last record that the step settles, as it was delivered: the log must hold the same event at its
     *     position, published at the same time, or have removed it by age; empty where it settles none
     */
    record Advance(
            Lease lease,
            Layout.Attachment attachment,
            int partition,
            Cursor from,
            Cursor to,
            Map<Long, Long> gates,
            Map<Long, Long> passed,
            Parking parking,
            List<Forward> forwarded,
            Optional<LogRecord> last) {

        /** Copies the collections. */
        public Advance {
            gates = Map.copyOf(gates);
            passed = Map.copyOf(passed);
            forwarded = List.copyOf(forwarded);
        }
    }

    /**
     * What a step does to parked events.
     *
     * @param blocked entities that are set aside, or still are after another attempt
     * @param parked records that are set aside now
     * @param freed events that are parked no longer
     */
    record Parking(List<Blocked> blocked, List<Aside> parked, List<Freed> freed) {

        /** Nothing. */
        public static final Parking NONE = new Parking(List.of(), List.of(), List.of());

        /** Copies the lists. */
        public Parking {
            blocked = List.copyOf(blocked);
            parked = List.copyOf(parked);
            freed = List.copyOf(freed);
        }

        /**
         * Returns whether there is nothing to do.
         *
         * @return true if all lists are empty
         */
        public boolean isEmpty() {
            return blocked.isEmpty() && parked.isEmpty() && freed.isEmpty();
        }
    }

    /**
     * Why an entity is set aside. Answers a request for it.
     *
     * @param entityNo which entity
     * @param version the version of the event that failed
     * @param cause what was said of it; any text, of which is kept what every store can keep ({@link Causes})
     * @param attempts how many more attempts it had
     */
    record Blocked(long entityNo, long version, String cause, int attempts) {

        /** Cuts the cause down to what can be stored: setting aside must never fail because of a text. */
        public Blocked {
            cause = Causes.storable(cause);
        }
    }

    /**
     * A record that is set aside.
     *
     * @param entityNo its entity
     * @param version its version
     * @param position its position in the child's partition
     */
    record Aside(long entityNo, long version, long position) {}

    /**
     * Events that are parked no longer: those of an entity up to a version.
     *
     * @param entityNo which entity
     * @param version the last version
     * @param unblocked whether that was all of them, so that the entity is parked no longer
     */
    record Freed(long entityNo, long version, boolean unblocked) {}

    /**
     * A record that goes on to a child stream: one of the log, or one that is parked, whose place in the log may have been
     * removed since.
     *
     * @param position its position in the child's partition
     * @param entityNo its entity
     * @param version its version
     * @param route where it goes
     */
    record Forward(long position, long entityNo, long version, Appends.Route route) {}

    /**
     * Reads a cursor.
     *
     * @param attachment the child's attachment
     * @param partition the partition of the stream
     * @return the ledger's head, {@link Cursor#START} if there is none
     */
    Cursor cursor(Layout.Attachment attachment, int partition);

    /**
     * Reads gates.
     *
     * @param attachment the child's attachment
     * @param entities the entities' numbers
     * @return where each stands that the child has met
     */
    Map<Long, Gate> gates(Layout.Attachment attachment, Collection<Long> entities);

    /**
     * Writes gates, cursor, parked and forwarded records in one transaction, fenced by the lease's token.
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
     * Reads where an entity stands with a child.
     *
     * @param attachment the child's attachment
     * @param entity which entity
     * @return where it stands; {@link Gate#OPEN} if the child has not met it
     */
    Gate gate(Layout.Attachment attachment, EntityRef entity);
}
