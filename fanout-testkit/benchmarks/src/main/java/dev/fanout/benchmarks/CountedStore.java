// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.spi.Appends;
import dev.fanout.spi.Attachments;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Leases;
import dev.fanout.spi.Log;
import dev.fanout.spi.Outbox;
import dev.fanout.spi.Parked;
import dev.fanout.spi.Platform;
import dev.fanout.spi.Retention;
import dev.fanout.spi.Store;
import dev.fanout.spi.StreamPartition;
import dev.fanout.spi.Wakes;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * A store that counts how often its log is read, each read being one statement.
 *
 * @param store the store
 * @param reads the count
 */
record CountedStore(Store<Connection> store, LongAdder reads) implements Store<Connection> {

    @Override
    public Log log() {
        return new CountedLog(store.log(), reads);
    }

    @Override
    public Platform platform() {
        return store.platform();
    }

    @Override
    public Layout open(Declaration declaration) {
        return store.open(declaration);
    }

    @Override
    public void checkMayRun() {
        store.checkMayRun();
    }

    @Override
    public Appends<Connection> appends() {
        return store.appends();
    }

    @Override
    public Outbox outbox() {
        return store.outbox();
    }

    @Override
    public Cursors<Connection> cursors() {
        return store.cursors();
    }

    @Override
    public Parked parked() {
        return store.parked();
    }

    @Override
    public Attachments attachments() {
        return store.attachments();
    }

    @Override
    public Retention retention() {
        return store.retention();
    }

    @Override
    public Leases leases() {
        return store.leases();
    }

    @Override
    public Wakes wakes() {
        return store.wakes();
    }

    @Override
    public void close() {
        store.close();
    }

    private record CountedLog(Log log, LongAdder reads) implements Log {

        @Override
        public Slab read(StreamPartition partition, long from, int limit, long bytes, Duration delay) {
            reads.increment();
            return log.read(partition, from, limit, bytes, delay);
        }

        @Override
        public Optional<Event> event(EntityRef entity, long version) {
            return log.event(entity, version);
        }
    }
}
