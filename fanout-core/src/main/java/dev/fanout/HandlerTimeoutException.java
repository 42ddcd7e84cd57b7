// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Says that a projection did not return in time and was interrupted ({@link Settings#handlerTimeout()}). */
public final class HandlerTimeoutException extends FanoutException {

    private static final long serialVersionUID = 1L;

    /** What it was given. */
    private final Duration timeout;

    /**
     * Makes the exception.
     *
     * @param timeout what it was given
     * @param cause what it threw when it was interrupted, or null if it returned
     */
    public HandlerTimeoutException(Duration timeout, @Nullable Throwable cause) {
        super(
                "a projection did not return within " + timeout + " and was interrupted; what it did counts as failed:"
                        + " give its client a shorter timeout of its own, or raise Settings.handlerTimeout",
                cause);
        this.timeout = timeout;
    }

    /**
     * Returns what it was given.
     *
     * @return the time
     */
    public Duration timeout() {
        return timeout;
    }
}
