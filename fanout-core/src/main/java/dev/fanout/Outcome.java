// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.time.Duration;
import java.util.Objects;

/** What a projection says of an event that it was handed. Throwing says the same as {@link #failed(Throwable)}. */
public sealed interface Outcome {

    /** The derived store holds the event's effect. */
    record Done() implements Outcome {
        private static final Done INSTANCE = new Done();
    }

    /**
     * The event has no effect here, on purpose: it counts as delivered and is reported as skipped.
     *
     * @param why the reason, for people
     */
    record Skip(String why) implements Outcome {

        /** Checks that there is a reason. */
        public Skip {
            Objects.requireNonNull(why, "why");
        }
    }

    /**
     * The store can't take the event now. It and everything behind it in its partition waits.
     *
     * @param after how long to wait, zero or more
     */
    record Retry(Duration after) implements Outcome {

        /** Checks the time. */
        public Retry {
            if (after.isNegative()) {
                throw new IllegalArgumentException("retry after " + after + ": the time can't be negative");
            }
        }
    }

    /**
     * The event can't be applied, and another attempt would not help: its entity is set aside at once.
     *
     * @param why the reason, for people
     */
    record Park(String why) implements Outcome {

        /** Checks that there is a reason. */
        public Park {
            Objects.requireNonNull(why, "why");
        }
    }

    /**
     * Applying the event failed. It is tried again after a pause that grows; an event that keeps failing while others succeed
     * is set aside with its entity.
     *
     * @param cause why
     */
    record Failed(Throwable cause) implements Outcome {

        /** Checks that there is a cause. */
        public Failed {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /**
     * Returns whether the event needs no further delivery.
     *
     * @return true for {@link Done} and {@link Skip}
     */
    default boolean acknowledged() {
        return this instanceof Done || this instanceof Skip;
    }

    /**
     * Says that the derived store holds the event's effect.
     *
     * @return the outcome
     */
    static Outcome applied() {
        return Done.INSTANCE;
    }

    /**
     * Says that the event has no effect here, on purpose.
     *
     * @param why the reason, for people
     * @return the outcome
     */
    static Outcome skip(String why) {
        return new Skip(why);
    }

    /**
     * Says that the store can't take the event now.
     *
     * @param after how long to wait, zero or more
     * @return the outcome
     */
    static Outcome retry(Duration after) {
        return new Retry(after);
    }

    /**
     * Says that the event can't be applied, and that another attempt would not help: its entity is set aside with it, later
     * events of the entity queue up behind, and everything else goes on.
     *
     * @param why the reason, for people
     * @return the outcome
     */
    static Outcome park(String why) {
        return new Park(why);
    }

    /**
     * Says that applying the event failed.
     *
     * @param cause why
     * @return the outcome
     */
    static Outcome failed(Throwable cause) {
        return new Failed(cause);
    }
}
