// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.spi.Appends;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.Log;
import dev.fanout.spi.Store;
import dev.fanout.spi.StreamPartition;
import dev.fanout.testkit.ForwardingStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * A store that counts how often its log is read, each read being one statement.
 */
final class CountedStore extends ForwardingStore<Connection> {

    private final Store<Connection> store;
    private final LongAdder reads;

    CountedStore(Store<Connection> store, LongAdder reads) {
        super(store);
        this.store = store;
        this.reads = reads;
    }

    @Override
    public Log log() {
        return new CountedLog(store.log(), reads);
    }

    @Override
    public Appends<Connection> appends() {
        return store.appends();
    }

    @Override
    public Cursors<Connection> cursors() {
        return store.cursors();
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
