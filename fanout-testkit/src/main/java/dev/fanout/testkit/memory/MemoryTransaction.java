// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.AppendRefusedException;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of a {@link MemoryDatabase}: what an application hands to {@code append}, as it would a JDBC
 * connection. Its writes are its own until {@link #commit()}; its locks are held until it ends.
 *
 * <p>For use by one thread at a time.
 */
public final class MemoryTransaction implements AutoCloseable {

    final MemoryDatabase database;
    final boolean waits;

    /** Everything below is guarded by the database's monitor. */
    final EntityTable.Writes entities = new EntityTable.Writes();

    final OutboxTable.Writes outbox = new OutboxTable.Writes();
    final HostTable.Writes rows = new HostTable.Writes();
    final Set<Integer> notifications = new LinkedHashSet<>();

    /** Whose lock this one waits for, to find deadlocks. */
    @Nullable
    MemoryTransaction waitsFor;

    private OptionalLong id = OptionalLong.empty();
    private boolean ended;

    MemoryTransaction(MemoryDatabase database, boolean waits) {
        this.database = database;
        this.waits = waits;
    }

    /** Makes all writes visible at once, lets go of the locks, and sends the notifications. */
    public void commit() {
        synchronized (database) {
            requireLive();
            database.entities.commit(entities);
            database.outbox.commit(outbox);
            database.rows.commit(rows);
            end();
            notifications.forEach(lane -> database.wakes.appended(lane));
        }
    }

    /** Forgets all writes and lets go of the locks. Does nothing if the transaction has ended. */
    public void rollback() {
        synchronized (database) {
            if (!ended) {
                end();
            }
        }
    }

    /** Rolls back, if the transaction has not ended. */
    @Override
    public void close() {
        rollback();
    }

    /**
     * Returns the transaction's id, which its first write gave it.
     *
     * @return the id, empty before the first write
     */
    public OptionalLong id() {
        synchronized (database) {
            return id;
        }
    }

    /**
     * Writes a row of the host's own, under its lock: what an application's own table would be.
     *
     * @param key the row's key
     * @param value its value
     */
    public void put(String key, String value) {
        Objects.requireNonNull(value, "value");
        synchronized (database) {
            requireLive();
            database.transactions.lock(this, new HostTable.Key(key));
            rows.put(key, value);
        }
    }

    /**
     * Reads a row of the host's own as this transaction sees it.
     *
     * @param key the row's key
     * @return its value, if there is one
     */
    public Optional<String> get(String key) {
        synchronized (database) {
            requireLive();
            return rows.get(key).or(() -> database.rows.get(key));
        }
    }

    /** The first write gives the id. */
    void wrote() {
        if (id.isEmpty()) {
            id = OptionalLong.of(database.transactions.nextId());
        }
    }

    void requireLive() {
        if (ended) {
            throw new AppendRefusedException(
                    "transaction " + this + " has ended; nothing was written. Begin another one and use that");
        }
    }

    private void end() {
        ended = true;
        database.transactions.end(this);
    }

    /** Returns the id, or that there is none yet. */
    @Override
    public String toString() {
        return id.isPresent() ? Long.toString(id.getAsLong()) : "without an id";
    }
}
