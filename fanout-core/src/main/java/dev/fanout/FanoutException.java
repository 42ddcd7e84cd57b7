// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import org.jspecify.annotations.Nullable;

/** The root of everything that fanout throws at an application. The message says what, which, how much and what next. */
public class FanoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what went wrong and what to do
     */
    public FanoutException(String message) {
        super(message);
    }

    /**
     * Makes the exception.
     *
     * @param message what went wrong and what to do
     * @param cause what it follows from, or null
     */
    public FanoutException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
