// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.spi.Log;
import dev.fanout.spi.StreamPartition;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The published streams, as one node reads them. */
final class MemoryLog implements Log {

    private final MemoryDatabase database;
    private final Opened opened;

    MemoryLog(MemoryDatabase database, Opened opened) {
        this.database = database;
        this.opened = opened;
    }

    @Override
    public Slab read(StreamPartition partition, long from, int limit, long bytes, Duration delay) {
        synchronized (database) {
            Instant due =
                    delay.isZero() ? Instant.MAX : database.clock.instant().minus(delay);
            Collection<LogTable.Row> there = database.log.from(partition, from);
            List<LogTable.Row> all = there.stream()
                    .takeWhile(row -> !row.committedAt().isAfter(due))
                    .toList();
            List<LogTable.Row> some = LogTable.upTo(all, limit, bytes);
            Optional<Duration> dueIn = there.stream()
                    .skip(all.size())
                    .findFirst()
                    .filter(next -> some.size() == all.size())
                    .map(next -> Duration.between(due, next.committedAt()));
            return new Slab(some.stream().map(row -> row.record(opened.codec())).toList(), dueIn);
        }
    }

    @Override
    public Optional<Event> event(EntityRef entity, long version) {
        synchronized (database) {
            return database.entities.history(entity).stream()
                    .filter(row -> row.version() == version)
                    .findFirst()
                    .map(row -> row.event(opened.codec()));
        }
    }
}
