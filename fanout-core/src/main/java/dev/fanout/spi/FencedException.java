// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import dev.fanout.FanoutException;

/** Says that a lease had been taken by another node, so that nothing was committed. */
public final class FencedException extends FanoutException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param lease the stale lease
     */
    public FencedException(Lease lease) {
        super("lease of " + lease.resource() + " with token " + lease.token() + " has been taken by another node;"
                + " nothing was committed");
    }
}
