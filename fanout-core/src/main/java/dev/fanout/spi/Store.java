// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

/**
 * A place that keeps entities, events, outbox, log and ledgers. Safe for use by many threads.
 *
 * @param <T> the transaction handle of the application
 */
public interface Store<T> extends AutoCloseable {

    /**
     * Returns time, threads and randomness for an engine on this store.
     *
     * @return the platform, the same each time
     */
    Platform platform();

    /**
     * Takes the store for an engine. Its threads, connections and wakes serve one, and are closed with it.
     *
     * @throws dev.fanout.StartRefusedException if another engine has it
     */
    void take();

    /**
     * Brings the schema up, stores what is new of the declaration, and attaches children that are new. Safe to race
     * with other processes and to repeat.
     *
     * @param declaration what this process declares
     * @return what the store holds now, including what other processes declared
     * @throws dev.fanout.StartRefusedException if it can't be, and waiting does not help
     * @throws dev.fanout.StoreUnavailableException if the database can't be reached
     */
    Layout open(Declaration declaration);

    /**
     * Checks that this process may run relay and cursors, and not only append. Comes before the first lease.
     *
     * @throws dev.fanout.StartRefusedException if it lacks a right, with the remedy
     * @throws dev.fanout.StoreUnavailableException if the database can't be reached
     */
    void checkMayRun();

    /**
     * Returns the application's side: appends within its transactions.
     *
     * @return the same each time
     */
    Appends<T> appends();

    /**
     * Returns the relay's side: from the outbox to the log.
     *
     * @return the same each time
     */
    Outbox outbox();

    /**
     * Returns the published streams.
     *
     * @return the same each time
     */
    Log log();

    /**
     * Returns the children's cursors and gates.
     *
     * @return the same each time
     */
    Cursors<T> cursors();

    /**
     * Returns the events that are set aside.
     *
     * @return the same each time
     */
    Parked parked();

    /**
     * Returns the way children come and go.
     *
     * @return the same each time
     */
    Attachments attachments();

    /**
     * Returns the way old records go.
     *
     * @return the same each time
     */
    Retention retention();

    /**
     * Returns the nodes and what they own.
     *
     * @return the same each time
     */
    Leases leases();

    /**
     * Returns the wake-ups.
     *
     * @return the same each time
     */
    Wakes wakes();

    /** Closes every connection and thread that the store made. A data source handed in by the application stays open. */
    @Override
    void close();
}
