// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.step;

import java.time.Duration;

/**
 * When a worker wants its next step. A signal always brings it at once.
 *
 * @param nanos how long to wait at the most; zero for at once, {@link Long#MAX_VALUE} for a signal only
 * @param idle whether the step did nothing at all, so that it says nothing of the health of anything either
 */
public record Next(long nanos, boolean idle) {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    /** At once. */
    public static final Next NOW = new Next(0, false);

    /** Only when signalled. */
    public static final Next ON_SIGNAL = new Next(Long.MAX_VALUE, false);

    /**
     * After a while.
     *
     * @param delay how long
     * @return when
     */
    public static Next after(Duration delay) {
        return new Next(nanos(delay), false);
    }

    /**
     * After a while, since this step may not do anything.
     *
     * @param delay how long
     * @return when
     */
    public static Next idleFor(Duration delay) {
        return new Next(nanos(delay), true);
    }

    boolean onSignalOnly() {
        return nanos == Long.MAX_VALUE;
    }

    /** A projection may ask for a pause of a thousand years. */
    private static long nanos(Duration delay) {
        return delay.compareTo(LONGEST) < 0 ? delay.toNanos() : LONGEST.toNanos();
    }
}
