// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import java.sql.SQLException;

/** One way of appending and, unless it only writes rows, of delivering; on a database of its own. */
interface Way extends AutoCloseable {

    /** The type of all entities. */
    String ENTITY_TYPE = "thing";

    /** The type of all events. */
    String EVENT_TYPE = "thing.changed";

    /** Takes one event where it is delivered. Called by one thread at a time. */
    @FunctionalInterface
    interface Handler {
        void handle(String entity, long version);
    }

    /** One connection that appends. For one thread. */
    interface Appender extends AutoCloseable {

        /** Appends one event to one entity in a transaction of its own and returns, once committed, its version. */
        long append(String entity, String payload) throws SQLException;

        @Override
        void close() throws SQLException;
    }

    /** A running consumer. */
    interface Delivery extends AutoCloseable {

        /** How many events have been handled and durably acknowledged. */
        long acknowledged();

        /** {@link System#nanoTime()} at which it was ready to take its first event, or 0 if it is not yet. */
        long readyAt();

        @Override
        void close() throws SQLException;
    }

    /** Opens a connection that appends. */
    Appender appender() throws SQLException;

    /** Writes events that wait, in committed transactions, as quickly as this way can; no consumer runs meanwhile. */
    void fill(long events) throws SQLException;

    /** Starts the consumer. */
    Delivery deliver(Handler handler) throws SQLException;

    @Override
    void close();
}
