// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import dev.fanout.TransactionalProjection;
import dev.fanout.internal.cursor.SlabPlan.Due;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Platform;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How events reach what a child drives.
 *
 * @param <T> the transaction handle of the store
 */
public interface Delivery<T> {

    /**
     * Hands over events, and settles those that are acknowledged.
     *
     * @param plan where they are settled
     * @param events which events, in log order
     * @param steps makes the step that writes what is settled by then, where the delivery itself writes it
     * @return the groups of events that were handed over together, with what was said of each
     * @throws Exception if a step could not be written; then nothing of it is
     */
    List<Handed> hand(SlabPlan plan, List<Due> events, Steps steps) throws Exception;

    /**
     * Events that were handed over together.
     *
     * @param events the events
     * @param answers what was said of them
     */
    record Handed(List<Due> events, Answers answers) {}

    /**
     * Delivers to a foreign store, on this thread; no connection is held meanwhile. What is settled is written by the
     * worker afterwards.
     *
     * @param <T> the transaction handle of the store
     * @param projection the projection
     * @param handler calls it
     * @return the delivery
     */
    static <T> Delivery<T> to(Projection projection, Handler handler) {
        return (plan, events, steps) -> List.of(handed(plan, events, handler, projection::apply));
    }

    /**
     * Delivers to a foreign store, several entities at a time and each in order.
     *
     * @param <T> the transaction handle of the store
     * @param projection the projection
     * @param handler calls it
     * @param platform runs the calls
     * @param concurrency how many at a time
     * @return the delivery
     */
    static <T> Delivery<T> concurrently(Projection projection, Handler handler, Platform platform, int concurrency) {
        return (plan, events, steps) -> {
            List<List<Due>> entities = longestFirst(SlabPlan.byEntity(events));
            List<@Nullable Answers> answers = new ArrayList<>();
            List<Runnable> calls = new ArrayList<>();
            for (List<Due> entity : entities) {
                int at = answers.size();
                answers.add(null);
                calls.add(() -> answers.set(at, handler.call(eventsOf(entity), projection::apply)));
            }
            platform.executeAll(calls, concurrency);
            List<Handed> handed = new ArrayList<>();
            for (int i = 0; i < entities.size(); i++) {
                Answers said = answers.get(i);
                if (said != null) {
                    plan.settle(entities.get(i), said.outcomes());
                    handed.add(new Handed(entities.get(i), said));
                }
            }
            return handed;
        };
    }

    /**
     * Delivers within the transaction that writes the step: all of the events, or none.
     *
     * @param <T> the transaction handle of the store
     * @param projection the projection
     * @param handler calls it
     * @param cursors where the step is written
     * @return the delivery
     */
    static <T> Delivery<T> to(TransactionalProjection<T> projection, Handler handler, Cursors<T> cursors) {
        return (plan, events, steps) -> {
            List<Handed> handed = new ArrayList<>();
            List<Advance> written = new ArrayList<>();
            boolean committed = false;
            try {
                committed = cursors.advance(tx -> {
                    Handed said = handed(plan, events, handler, some -> projection.apply(some, tx));
                    handed.add(said);
                    if (said.answers().refusal() != null) {
                        return null;
                    }
                    Advance step = steps.next();
                    written.add(step);
                    return step;
                });
            } finally {
                if (!committed) {
                    plan.unsettle(events);
                }
            }
            if (committed) {
                written.forEach(steps::written);
            }
            return handed;
        };
    }

    /**
     * Publishes to a child stream: the step that moves the cursor does it.
     *
     * @param <T> the transaction handle of the store
     * @return the delivery
     */
    static <T> Delivery<T> forward() {
        return (plan, events, steps) -> {
            Answers answers =
                    new Answers(events.stream().map(event -> Outcome.applied()).toList(), false);
            plan.settle(events, answers.outcomes());
            return List.of(new Handed(events, answers));
        };
    }

    private static Handed handed(SlabPlan plan, List<Due> events, Handler handler, Handler.Call projection) {
        Answers answers = handler.call(eventsOf(events), projection);
        plan.settle(events, answers.outcomes());
        return new Handed(events, answers);
    }

    private static List<Event> eventsOf(List<Due> events) {
        return events.stream().map(Due::event).toList();
    }

    /** So that no long one is left over when all others are done. */
    private static List<List<Due>> longestFirst(Collection<List<Due>> entities) {
        return entities.stream()
                .sorted(Comparator.comparingInt((List<Due> events) -> events.size())
                        .reversed())
                .toList();
    }
}
