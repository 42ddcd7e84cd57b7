// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import dev.fanout.FanoutException;

/**
 * What is stored was asked for, and can't be read: it is more than the database gives out at once, or than this process
 * holds. Less of it may be readable. Limits at the append are there so that this does not happen.
 */
public final class UnreadableException extends FanoutException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param message what was read
     * @param cause why it can't be
     */
    public UnreadableException(String message, Throwable cause) {
        super(message, cause);
    }
}
