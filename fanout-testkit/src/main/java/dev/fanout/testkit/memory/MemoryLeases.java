// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.spi.Lease;
import dev.fanout.spi.Leases;
import java.util.Optional;
import java.util.Set;

/** The nodes and what they own, as one node sees and changes them. */
final class MemoryLeases implements Leases {

    private final MemoryDatabase database;
    private final MemoryWakes self;

    MemoryLeases(MemoryDatabase database, MemoryWakes self) {
        this.database = database;
        this.self = self;
    }

    @Override
    public long join(String name, Set<String> children) {
        synchronized (database) {
            return database.leases.join(name, children);
        }
    }

    @Override
    public boolean beat(long node) {
        synchronized (database) {
            return database.leases.beat(node);
        }
    }

    @Override
    public void knows(long node, Set<String> children) {
        synchronized (database) {
            database.leases.knows(node, children);
            database.wakes.released(self);
        }
    }

    @Override
    public Survey survey() {
        synchronized (database) {
            return new Survey(
                    database.leases.nodes(),
                    database.leases.leases(),
                    database.log.heads(),
                    database.layout.layout(),
                    database.parked.asked());
        }
    }

    @Override
    public Optional<Lease> take(String resource, long seen, long node) {
        synchronized (database) {
            return database.leases.take(resource, seen, node);
        }
    }

    @Override
    public void release(Lease lease) {
        synchronized (database) {
            if (database.leases.release(lease)) {
                database.wakes.released(self);
            }
        }
    }

    @Override
    public void remove(long node) {
        synchronized (database) {
            if (database.leases.remove(node)) {
                database.wakes.released(self);
            }
        }
    }
}
