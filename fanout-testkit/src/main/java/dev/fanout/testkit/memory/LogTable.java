// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.Codec;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.StreamPartition;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The published streams, by partition and position. */
final class LogTable {

    private final Map<StreamPartition, NavigableMap<Long, Row>> partitions = new HashMap<>();

    /** One event at its place. */
    record Row(long position, Instant committedAt, EventRow event) {

        LogRecord record(Codec codec) {
            return new LogRecord(position, committedAt, event.entityNo(), event.size(), event.event(codec));
        }
    }

    /** Adds an event behind the last one, at a time that does not fall. */
    Row add(StreamPartition at, EventRow event, Instant now) {
        NavigableMap<Long, Row> rows = partition(at);
        Instant committedAt =
                rows.isEmpty() || rows.lastEntry().getValue().committedAt().isBefore(now)
                        ? now
                        : rows.lastEntry().getValue().committedAt();
        Row row = new Row(head(at), committedAt, event);
        rows.put(row.position(), row);
        return row;
    }

    /** The position behind the last record. */
    long head(StreamPartition at) {
        NavigableMap<Long, Row> rows = partition(at);
        return rows.isEmpty() ? 0 : rows.lastKey() + 1;
    }

    /** The position of the oldest record that is kept; the head if there is none. */
    long first(StreamPartition at) {
        NavigableMap<Long, Row> rows = partition(at);
        return rows.isEmpty() ? 0 : rows.firstKey();
    }

    /** Whether a record is where it was read, as it was published then. */
    boolean holds(StreamPartition at, LogRecord record) {
        Row row = partition(at).get(record.position());
        return row != null
                && row.committedAt().equals(record.committedAt())
                && row.event().facts().id().equals(record.event().id());
    }

    Map<StreamPartition, Long> heads() {
        Map<StreamPartition, Long> heads = new HashMap<>();
        partitions.forEach((at, rows) -> {
            if (!rows.isEmpty()) {
                heads.put(at, head(at));
            }
        });
        return heads;
    }

    Collection<Row> from(StreamPartition at, long position) {
        return partition(at).tailMap(position).values();
    }

    void remove(StreamPartition at, long from, long to) {
        partition(at).subMap(from, to).clear();
    }

    private NavigableMap<Long, Row> partition(StreamPartition at) {
        return partitions.computeIfAbsent(at, p -> new TreeMap<>());
    }
}
