// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.node;

import dev.fanout.spi.Lease;

/** Whether a worker may still act on its lease, by this node's own monotonic clock. */
public interface Ownership {

    /**
     * Returns whether the lease can't have been taken by another yet: the node's heartbeat was renewed recently enough.
     *
     * @param lease the lease
     * @return false if the worker must stand still
     */
    boolean holds(Lease lease);

    /**
     * Tells that the store refused a write on the lease.
     *
     * @param lease the lease
     */
    void lost(Lease lease);
}
