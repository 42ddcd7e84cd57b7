// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import static dev.fanout.internal.cursor.Records.record;

import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.ParkedEntity;
import dev.fanout.StoreUnavailableException;
import dev.fanout.spi.Appends;
import dev.fanout.spi.Attachments;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Layout.Attachment;
import dev.fanout.spi.Leases;
import dev.fanout.spi.Log;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Outbox;
import dev.fanout.spi.Parked;
import dev.fanout.spi.Platform;
import dev.fanout.spi.Retention;
import dev.fanout.spi.Store;
import dev.fanout.spi.StreamPartition;
import dev.fanout.spi.UnreadableException;
import dev.fanout.spi.Wakes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** As much of a store as one cursor needs: a log, a cursor with gates, and what is set aside. */
final class ListedStore implements Store<Object> {

    final ListedLog log;
    final ListedCursors cursors = new ListedCursors();
    private final Platform platform;

    ListedStore(Platform platform) {
        this.platform = platform;
        this.log = new ListedLog(platform);
    }

    /** Its clock is the platform's, counted from the epoch. */
    static final class ListedLog implements Log {

        final List<LogRecord> records = new ArrayList<>();
        boolean down;
        long unreadable = -1;
        int reads;
        private final Platform platform;

        private ListedLog(Platform platform) {
            this.platform = platform;
        }

        void add(int count) {
            for (int i = 0; i < count; i++) {
                LogRecord next = record(records.size(), 1, records.size() + 1);
                records.add(new LogRecord(next.position(), now(), next.entityNo(), next.size(), next.event()));
            }
        }

        private Instant now() {
            return Instant.EPOCH.plusNanos(platform.nanoTime());
        }

        @Override
        public Slab read(StreamPartition partition, long from, int limit, long bytes, Duration delay) {
            reads++;
            if (down) {
                throw new StoreUnavailableException("down", null);
            }
            if (from <= unreadable && unreadable < Math.min(from + limit, records.size())) {
                throw new UnreadableException("too much", new IllegalStateException());
            }
            Instant due = now().minus(delay);
            List<LogRecord> there =
                    records.stream().filter(record -> record.position() >= from).toList();
            List<LogRecord> ready = there.stream()
                    .takeWhile(record -> !record.committedAt().isAfter(due))
                    .limit(limit)
                    .toList();
            Optional<Duration> dueIn = there.stream()
                    .skip(ready.size())
                    .findFirst()
                    .map(next -> Duration.between(due, next.committedAt()))
                    .filter(wait -> !wait.isNegative() && !wait.isZero());
            return new Slab(ready, dueIn);
        }

        @Override
        public Optional<Event> event(EntityRef entity, long version) {
            throw new UnsupportedOperationException();
        }
    }

    static final class ListedCursors implements Cursors<Object> {

        final Map<Long, Long> gates = new HashMap<>();
        final Set<Long> parked = new HashSet<>();
        final List<Parking> parking = new ArrayList<>();
        Cursor stored = Cursor.START;
        boolean fenced;
        boolean interrupted;

        @Override
        public Cursor cursor(Attachment attachment, int partition) {
            return stored;
        }

        @Override
        public Map<Long, Gate> gates(Attachment attachment, Collection<Long> entities) {
            Map<Long, Gate> found = new HashMap<>();
            for (long entity : entities) {
                if (gates.containsKey(entity) || parked.contains(entity)) {
                    found.put(entity, new Gate(gates.getOrDefault(entity, 0L), parked.contains(entity)));
                }
            }
            return found;
        }

        @Override
        public void advance(Advance advance) {
            interrupted |= Thread.currentThread().isInterrupted();
            if (fenced) {
                throw new FencedException(advance.lease());
            }
            if (!stored.equals(advance.from())) {
                throw new ForgottenException("the ledger stands at " + stored);
            }
            stored = advance.to();
            gates.putAll(advance.gates());
            if (!advance.parking().isEmpty()) {
                parking.add(advance.parking());
                advance.parking().blocked().forEach(one -> parked.add(one.entityNo()));
            }
        }

        @Override
        public boolean advance(Cursors.Delivery<Object> delivery) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Gate gate(Attachment attachment, EntityRef entity) {
            throw new UnsupportedOperationException();
        }
    }

    /** Nobody asks for anything. */
    private static final class NothingAsked implements Parked {

        @Override
        public List<Request> requests(Attachment attachment, int partition, int limit) {
            return List.of();
        }

        @Override
        public List<LogRecord> events(Attachment attachment, long entityNo, int limit, long bytes) {
            return List.of();
        }

        @Override
        public long request(Attachment attachment, Optional<EntityRef> entity, Wish wish) {
            return 0;
        }

        @Override
        public List<ParkedEntity> list(Attachment attachment, int limit) {
            return List.of();
        }
    }

    @Override
    public Platform platform() {
        return platform;
    }

    @Override
    public Log log() {
        return log;
    }

    @Override
    public Cursors<Object> cursors() {
        return cursors;
    }

    @Override
    public Parked parked() {
        return new NothingAsked();
    }

    @Override
    public Layout open(Declaration declaration) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Appends<Object> appends() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Outbox outbox() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Attachments attachments() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Retention retention() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Leases leases() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Wakes wakes() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void take() {}

    @Override
    public void checkMayRun() {}

    @Override
    public void close() {}
}
