// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.spi.Lease;
import dev.fanout.spi.Retention;
import dev.fanout.spi.StreamPartition;
import java.time.Instant;

/** Old records go. */
final class MemoryRetention implements Retention {

    private final MemoryDatabase database;

    MemoryRetention(MemoryDatabase database) {
        this.database = database;
    }

    @Override
    public Instant now() {
        return database.clock.instant();
    }

    @Override
    public Batch remove(Lease lease, StreamPartition partition, long from, Instant before, int limit) {
        synchronized (database) {
            database.leases.fence(lease);
            long removed = database.log.removeOld(partition, before, limit);
            return new Batch(removed, removed == 0 ? from : database.log.first(partition));
        }
    }
}
