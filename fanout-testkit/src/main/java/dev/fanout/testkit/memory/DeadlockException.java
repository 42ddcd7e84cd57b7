// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.FanoutException;

/** Says that transactions wait for each other's locks in a circle, so that this one has to be rolled back. */
public final class DeadlockException extends FanoutException {

    private static final long serialVersionUID = 1L;

    DeadlockException(Object row, MemoryTransaction holder) {
        super("deadlock: transaction " + holder + " holds the lock on " + row
                + " and waits for this one; roll back, and lock in one order");
    }
}
