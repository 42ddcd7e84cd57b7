// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import org.jspecify.annotations.Nullable;

/**
 * Says that the database could not be reached, or the connection to it was lost on the way. Trying again later is
 * right; after a lost connection around a commit, the outcome of that transaction is unknown.
 */
public final class StoreUnavailableException extends FanoutException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what was tried
     * @param cause the driver's exception
     */
    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
