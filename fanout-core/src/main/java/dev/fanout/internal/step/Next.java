// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.step;

import java.time.Duration;

/**
 * When a worker wants its next step. A signal always brings it at once.
 *
 * @param nanos how long to wait at the most; zero for at once, {@link Long#MAX_VALUE} for a signal only
 */
public record Next(long nanos) {

    /** At once. */
    public static final Next NOW = new Next(0);

    /** Only when signalled. */
    public static final Next ON_SIGNAL = new Next(Long.MAX_VALUE);

    /**
     * After a while.
     *
     * @param delay how long
     * @return when
     */
    public static Next after(Duration delay) {
        return new Next(delay.toNanos());
    }

    boolean onSignalOnly() {
        return nanos == Long.MAX_VALUE;
    }
}
