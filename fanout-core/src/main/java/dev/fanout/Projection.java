// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Copies events into a store outside the primary's transaction: a search index, a cache, a graph, another service.
 *
 * <p>One projection is called by one thread at a time per partition, and by as many threads at once as its stream has
 * partitions on this node; events of one entity always come in version order. No database connection of the engine is
 * held meanwhile. An event may come again after a failure, a crash, a lost lease or a lost connection, so the effect
 * must be repeatable: write by identity, and let the store compare {@link Event#gateVersion()} where it can (declared
 * by {@link ChildSpec#selfGated}).
 */
@FunctionalInterface
public interface Projection {

    /**
     * Makes the derived store hold the event's effect, durably, before it returns {@link Outcome#applied()}.
     *
     * @param event the event, newer than all that this projection applied of its entity
     * @return what became of it
     * @throws Exception if it failed; the same as returning {@link Outcome#failed}
     */
    Outcome apply(Event event) throws Exception;

    /**
     * Takes a slab of events at once, in order. Override it where the store is faster in bulk; by default the events
     * are applied one after another up to the first that is not acknowledged.
     *
     * @param slab the events in log order, at least one
     * @return the outcomes of the first so many events, in order. Events without an outcome, and all behind the first
     *     that is not acknowledged, are delivered again
     * @throws Exception if all of it failed; then all of it is delivered again
     */
    default List<Outcome> apply(List<Event> slab) throws Exception {
        List<Outcome> outcomes = new ArrayList<>(slab.size());
        for (Event event : slab) {
            Outcome outcome = outcomeOf(event);
            outcomes.add(outcome);
            if (!outcome.acknowledged()) {
                break;
            }
        }
        return outcomes;
    }

    /**
     * Empties the derived store, so that it can be filled again from history.
     *
     * @throws Exception if it could not be emptied
     */
    default void reset() throws Exception {
        throw new FanoutException(getClass().getName() + " does not say how its store is emptied: override reset()");
    }

    private Outcome outcomeOf(Event event) {
        try {
            return Objects.requireNonNull(apply(event), "apply(event) returned null instead of an outcome");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Outcome.failed(interrupted);
        } catch (Exception failure) {
            return Outcome.failed(failure);
        }
    }
}
