// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.FanoutException;

/**
 * Says that a transaction begun with {@link MemoryDatabase#beginWithoutWaiting()} would have to wait for a lock.
 * Nothing was written by the call; the transaction is alive, and the call may be tried again once the holder has
 * ended. Locks that the call took before stay, as they would while waiting.
 */
public final class WouldBlockException extends FanoutException {

    private static final long serialVersionUID = 1L;

    WouldBlockException(Object row, MemoryTransaction holder) {
        super("lock on " + row + " is held by transaction " + holder + "; try again when that has ended");
    }
}
