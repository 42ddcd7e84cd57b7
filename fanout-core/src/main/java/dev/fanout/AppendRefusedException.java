// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import org.jspecify.annotations.Nullable;

/**
 * Says that an append was refused before anything was written, because of how or with what it was called: no live
 * transaction, a read-only or replica connection, a payload that is not JSON or too large, a stream that is not
 * declared, or no stream at all. The host's transaction is still usable, except where the database itself refused.
 */
public final class AppendRefusedException extends FanoutException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what was refused, the rule, and the remedy
     */
    public AppendRefusedException(String message) {
        super(message);
    }

    /**
     * Makes the exception.
     *
     * @param message what was refused, the rule, and the remedy
     * @param cause what it follows from, or null
     */
    public AppendRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
