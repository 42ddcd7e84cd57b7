// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.Codec;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.StreamPartition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntPredicate;

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

    /** Whether a record is where it was read, as it was published then, or has been removed by age. */
    boolean holds(StreamPartition at, LogRecord record) {
        Row row = partition(at).get(record.position());
        if (row == null) {
            return record.position() < head(at);
        }
        return row.committedAt().equals(record.committedAt())
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

    Optional<Row> at(int stream, int partition, long position) {
        return Optional.ofNullable(
                partition(new StreamPartition(stream, partition)).get(position));
    }

    /** The first rows, up to limits; the first one in any case. */
    static List<Row> upTo(Collection<Row> rows, int limit, long bytes) {
        List<Row> some = new ArrayList<>();
        long left = bytes;
        for (Row row : rows) {
            left -= row.event().size();
            if (some.size() == limit || (left < 0 && !some.isEmpty())) {
                break;
            }
            some.add(row);
        }
        return some;
    }

    /** Removes the oldest records up to the first that is not old enough, and never the last one. */
    long removeOld(StreamPartition at, Instant before, int limit) {
        NavigableMap<Long, Row> rows = partition(at);
        long removed = 0;
        while (removed < limit
                && rows.size() > 1
                && rows.firstEntry().getValue().committedAt().isBefore(before)) {
            rows.pollFirstEntry();
            removed++;
        }
        return removed;
    }

    /** Removes records of a stream. */
    long remove(int stream, int limit) {
        return removeStreams(no -> no == stream, limit);
    }

    /** Removes records of streams. */
    long removeStreams(IntPredicate streams, int limit) {
        long removed = 0;
        for (Map.Entry<StreamPartition, NavigableMap<Long, Row>> entry : partitions.entrySet()) {
            while (streams.test(entry.getKey().stream())
                    && removed < limit
                    && !entry.getValue().isEmpty()) {
                entry.getValue().pollFirstEntry();
                removed++;
            }
        }
        return removed;
    }

    void remove(StreamPartition at, long from, long to) {
        partition(at).subMap(from, to).clear();
    }

    private NavigableMap<Long, Row> partition(StreamPartition at) {
        return partitions.computeIfAbsent(at, p -> new TreeMap<>());
    }
}
