// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.FanoutException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The transactions that are open, their ids, and the rows that they have locked. */
final class Transactions {

    /** Not 1: an id that is mistaken for a version or a position should look wrong. */
    private static final long FIRST_ID = 700;

    private final MemoryDatabase database;
    private final Set<MemoryTransaction> open = new LinkedHashSet<>();
    private final Map<Object, MemoryTransaction> locks = new HashMap<>();
    private long nextId = FIRST_ID;

    Transactions(MemoryDatabase database) {
        this.database = database;
    }

    MemoryTransaction begin(boolean waits) {
        synchronized (database) {
            MemoryTransaction transaction = new MemoryTransaction(database, waits);
            open.add(transaction);
            return transaction;
        }
    }

    /** Takes a row's lock and keeps it to the end of the transaction; waits for another that holds it. */
    void lock(MemoryTransaction transaction, Object row) {
        // MUST have its id before it waits, as a writer on PostgreSQL has: one that got it later could slip past a
        // horizon that was taken meanwhile
        transaction.wrote();
        try {
            while (locks.getOrDefault(row, transaction) != transaction) {
                transaction.waitsFor = holderToWaitFor(transaction, row);
                database.wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FanoutException("interrupted while waiting for the lock on " + row + "; roll back", e);
        } finally {
            transaction.waitsFor = null;
        }
        transaction.requireLive();
        locks.put(row, transaction);
    }

    private MemoryTransaction holderToWaitFor(MemoryTransaction transaction, Object row) {
        MemoryTransaction holder = locks.getOrDefault(row, transaction);
        if (!transaction.waits) {
            throw new WouldBlockException(row, holder);
        }
        for (@Nullable MemoryTransaction next = holder; next != null; next = next.waitsFor) {
            if (next == transaction) {
                throw new DeadlockException(row, holder);
            }
        }
        return holder;
    }

    void end(MemoryTransaction transaction) {
        open.remove(transaction);
        locks.values().removeIf(holder -> holder == transaction);
        database.notifyAll();
    }

    long nextId() {
        return nextId++;
    }

    /** The lowest id that has not been given out. */
    long next() {
        return nextId;
    }

    /** The lowest id that still runs; all below have ended. */
    long running() {
        return open.stream()
                .flatMapToLong(transaction -> transaction.id().stream())
                .min()
                .orElse(nextId);
    }
}
