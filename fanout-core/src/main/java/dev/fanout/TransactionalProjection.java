// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Copies events into derived rows of the same database, in the transaction that also moves the cursor: exactly once.
 *
 * <p>A slab is one transaction. Whatever is not acknowledged rolls it back whole, and it is delivered again.
 *
 * @param <T> the transaction handle of the store, {@code java.sql.Connection} for PostgreSQL
 */
@FunctionalInterface
public interface TransactionalProjection<T> {

    /**
     * Writes the event's effect within the transaction.
     *
     * @param event the event, newer than all that this projection applied of its entity
     * @param tx the delivery's own transaction, which ends with the delivery. For PostgreSQL a connection that refuses
     *     {@code commit()}, {@code rollback()}, {@code setAutoCommit(..)} and {@code close()}; savepoints are yours, and
     *     {@code unwrap} reaches the driver (for COPY). Ending the transaction past them, by a statement of SQL, is lost work
     * @return what became of it
     * @throws Exception if it failed; the transaction is then rolled back
     */
    Outcome apply(Event event, T tx) throws Exception;

    /**
     * Takes a slab of events at once, in order. Override it to write in bulk; by default the events are applied one
     * after another.
     *
     * @param slab the events in log order, at least one
     * @param tx the delivery's own transaction
     * @return one outcome per event; fewer, or one that is not acknowledged, rolls the transaction back
     * @throws Exception if it failed; the transaction is then rolled back
     */
    default List<Outcome> apply(List<Event> slab, T tx) throws Exception {
        List<Outcome> outcomes = new ArrayList<>(slab.size());
        for (Event event : slab) {
            Outcome outcome =
                    Objects.requireNonNull(apply(event, tx), "apply(event, tx) returned null instead of an outcome");
            outcomes.add(outcome);
            if (!outcome.acknowledged()) {
                break;
            }
        }
        return outcomes;
    }

    /**
     * Empties the derived rows, so that they can be filled again from history.
     *
     * @param tx the transaction to do it in
     * @throws Exception if they could not be emptied
     */
    default void reset(T tx) throws Exception {
        throw new FanoutException(getClass().getName() + " does not say how its rows are emptied: override reset(tx)");
    }
}
