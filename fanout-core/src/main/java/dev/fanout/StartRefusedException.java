// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import org.jspecify.annotations.Nullable;

/**
 * Says that the engine does not come up with these declarations on this database: settings that differ from the stored
 * ones, a limit exceeded, a database that is too old or a standby, missing rights. Waiting does not help; the message
 * names the rule, the values and the remedy.
 */
public final class StartRefusedException extends FanoutException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message the rule, the values and the remedy
     */
    public StartRefusedException(String message) {
        super(message);
    }

    /**
     * Makes the exception.
     *
     * @param message the rule, the values and the remedy
     * @param cause what it follows from, or null
     */
    public StartRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
