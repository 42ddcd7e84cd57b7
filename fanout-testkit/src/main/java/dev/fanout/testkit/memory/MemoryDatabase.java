// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.spi.Platform;
import dev.fanout.spi.StreamPartition;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * A database in memory that several {@link MemoryStore}s share, as nodes share a PostgreSQL.
 *
 * <p>What it keeps of PostgreSQL is what the protocols rest on: transactions that interleave and see what was committed
 * before each of their statements (READ COMMITTED), row locks that are held to the end of the transaction, transaction
 * ids given with the first write, sequences that do not roll back, snapshots that know the lowest running transaction,
 * and notifications that leave with the commit. What it leaves out: disks, savepoints, and that documents are
 * normalised.
 *
 * <p>A transaction buffers its writes until it commits, and the locks keep others from writing the same rows; so what
 * is in the tables is exactly what is committed. All state is under the monitor of this object: one idea of atomicity
 * instead of many. Safe for use by many threads.
 */
public final class MemoryDatabase {

    final Clock clock;
    final Transactions transactions = new Transactions(this);
    final EntityTable entities = new EntityTable();
    final OutboxTable outbox = new OutboxTable();
    final LogTable log = new LogTable();
    final LayoutTable layout = new LayoutTable();
    final CursorTable cursors = new CursorTable();
    final ParkedTable parked = new ParkedTable();
    final LeaseTable leases = new LeaseTable();
    final HostTable rows = new HostTable();
    final Switchboard wakes = new Switchboard();

    private MemoryDatabase(Clock clock) {
        this.clock = clock;
    }

    /**
     * Makes an empty database on the system's clock.
     *
     * @return the database
     */
    public static MemoryDatabase create() {
        return create(Clock.systemUTC());
    }

    /**
     * Makes an empty database.
     *
     * @param clock what it reads for the times of events and records
     * @return the database
     */
    public static MemoryDatabase create(Clock clock) {
        return new MemoryDatabase(clock);
    }

    /**
     * Makes one node's store on this database, with threads of its own.
     *
     * @return the store; closing it ends the threads
     */
    public MemoryStore connect() {
        return MemoryStore.withOwnThreads(this);
    }

    /**
     * Makes one node's store on this database, on time and threads of the caller's.
     *
     * @param platform time, threads and randomness for the node; closing the store leaves it running
     * @return the store
     */
    public MemoryStore connect(Platform platform) {
        return MemoryStore.onPlatform(this, platform);
    }

    /**
     * Begins a transaction that waits for locks, as one on PostgreSQL does.
     *
     * @return the transaction
     */
    public MemoryTransaction begin() {
        return transactions.begin(true);
    }

    /**
     * Begins a transaction that throws {@link WouldBlockException} where another would wait for a lock: for a test
     * that interleaves several on one thread. It may then try the same append again.
     *
     * @return the transaction
     */
    public MemoryTransaction beginWithoutWaiting() {
        return transactions.begin(false);
    }

    /**
     * Reads a committed row of the host's own ({@link MemoryTransaction#put}).
     *
     * @param key the row's key
     * @return its value, if there is one
     */
    public synchronized Optional<String> row(String key) {
        return rows.get(key);
    }

    /**
     * Reads what has been committed about an entity.
     *
     * @param entity which entity
     * @return its events by version; empty if there is no such entity
     */
    public synchronized List<Event> history(EntityRef entity) {
        return entities.history(entity).stream()
                .map(row -> row.event(UnopenedCodec.INSTANCE))
                .toList();
    }

    /**
     * Loses all notifications from now on, or stops losing them. Nothing may depend on them but speed.
     *
     * @param lose whether notifications are lost
     */
    public synchronized void loseNotifications(boolean lose) {
        wakes.lose(lose);
    }

    /**
     * Removes published records, as a lost tail or a careless operator would.
     *
     * @param partition where
     * @param from the first position to remove
     * @param to the position behind the last one to remove
     */
    public synchronized void removeRecords(StreamPartition partition, long from, long to) {
        log.remove(partition, from, to);
    }
}
