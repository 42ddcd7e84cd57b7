// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import dev.fanout.FanoutException;

/**
 * Says that the database does not hold what this process remembers to have committed (a crash lost an asynchronous
 * commit, a lagging standby was promoted, a backup was restored) or was written by another meanwhile. Nothing was
 * committed; all memory of it must be read again.
 */
public final class ForgottenException extends FanoutException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param what what was remembered, and what is there
     */
    public ForgottenException(String what) {
        super(what);
    }
}
