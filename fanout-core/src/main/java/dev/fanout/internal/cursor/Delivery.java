// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import dev.fanout.TransactionalProjection;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.Cursors.Advance;
import java.util.List;
import java.util.function.Function;

/**
 * How a slab's events reach the projection, and the cursor's step the store.
 *
 * @param <T> the transaction handle of the store
 */
@FunctionalInterface
public interface Delivery<T> {

    /**
     * Delivers, and writes the step.
     *
     * @param plan the slab
     * @param advance makes the step of what was acknowledged
     * @return what is written now
     * @throws Exception if nothing is
     */
    SlabPlan.Result deliver(SlabPlan plan, Function<SlabPlan.Result, Advance> advance) throws Exception;

    /**
     * Delivers to a foreign store: no connection is held while the projection works, and what it acknowledged before a
     * failure is kept.
     *
     * @param <T> the transaction handle of the store
     * @param projection the projection
     * @param cursors where the step is written
     * @return the delivery
     */
    static <T> Delivery<T> to(Projection projection, Cursors<T> cursors) {
        return (plan, advance) -> {
            SlabPlan.Result result = plan.after(answers(plan, projection::apply));
            Advance step = advance.apply(result);
            if (step.to() > step.from()) {
                cursors.advance(step);
            }
            return result;
        };
    }

    /**
     * Delivers within the transaction that writes the step: all of the slab, or nothing.
     *
     * @param <T> the transaction handle of the store
     * @param projection the projection
     * @param cursors where the step is written
     * @return the delivery
     */
    static <T> Delivery<T> to(TransactionalProjection<T> projection, Cursors<T> cursors) {
        return (plan, advance) -> {
            Attempt attempt = new Attempt(plan);
            cursors.advance(tx -> {
                SlabPlan.Result result = attempt.of(answers(plan, events -> projection.apply(events, tx)));
                return result.refusal() == null ? advance.apply(result) : null;
            });
            return attempt.result;
        };
    }

    private static List<Outcome> answers(SlabPlan plan, Call projection) {
        List<Event> events = plan.events();
        if (events.isEmpty()) {
            return List.of();
        }
        try {
            List<Outcome> answers = projection.apply(events);
            return answers != null ? answers : List.of();
        } catch (Throwable failure) {
            // an Error of user code is the child's failure and must not end the worker
            return List.of(Outcome.failed(failure));
        } finally {
            // the thread is the engine's, which ends by other means: a flag left behind would only fail the cursor's
            // write
            Thread.interrupted();
        }
    }

    /** A projection's method. */
    @FunctionalInterface
    interface Call {

        /**
         * Applies events.
         *
         * @param events the events, at least one
         * @return the outcomes of the first so many
         * @throws Exception if all of it failed
         */
        List<Outcome> apply(List<Event> events) throws Exception;
    }

    /** Carries a result out of a transaction; a refused slab leaves nothing behind. */
    final class Attempt {
        private final SlabPlan plan;
        private SlabPlan.Result result;

        Attempt(SlabPlan plan) {
            this.plan = plan;
            this.result = plan.nothing(Outcome.failed(new IllegalStateException("not delivered")));
        }

        SlabPlan.Result of(List<Outcome> answers) {
            SlabPlan.Result tried = plan.after(answers);
            Outcome refusal = tried.refusal();
            result = refusal == null ? tried : plan.nothing(refusal);
            return result;
        }
    }
}
