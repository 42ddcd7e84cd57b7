// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.Settings;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.StreamPartition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Supplier;

/**
 * The records that this node has in memory, for all its cursors: what its relay has just published and what one of the
 * cursors has read from the log. A cursor at the tail costs no query, and many at one place cost one.
 *
 * <p>All of it together is bounded in bytes ({@link Settings#memoryBytes()}); what was used least recently is dropped first. A
 * cursor that does not find its position here reads the log; nothing depends on a record being here.
 *
 * <p>Of each partition it also knows the end, as of the last time that it heard of growth. MUST take the count of growths
 * before the log is read and keep it with the end that was found: whoever hears of more meanwhile reads again.
 *
 * <p>Safe for use by many threads.
 */
public final class Slabs {

    /** A cursor of this node that may want records from memory. */
    public interface Reader {

        /**
         * Returns what it reads.
         *
         * @return the partition
         */
        StreamPartition partition();

        /**
         * Returns how far it is.
         *
         * @return the next position it will examine
         */
        long position();

        /** Is told that its partition has grown, or may have. */
        void grown();
    }

    private record Place(StreamPartition partition, long position) {}

    private record Slab(List<LogRecord> records, long bytes) {

        long first() {
            return records.get(0).position();
        }

        long end() {
            return records.get(records.size() - 1).position() + 1;
        }
    }

    private static final class Partition {
        private final TreeMap<Long, Slab> slabs = new TreeMap<>();
        private long growths;
        private long tail = -1;
        private long tailAsOf = -1;
    }

    private final int slabRecords;
    private final long maxBytes;
    private final Map<StreamPartition, Partition> partitions = new HashMap<>();
    private final LinkedHashMap<Place, Slab> byUse = new LinkedHashMap<>(64, 0.75f, true);
    private final Map<Place, CompletableFuture<List<LogRecord>>> reading = new ConcurrentHashMap<>();
    private final Set<Reader> readers = new CopyOnWriteArraySet<>();
    private long bytes;

    /**
     * Makes an empty memory.
     *
     * @param settings its size
     */
    public Slabs(Settings settings) {
        this.slabRecords = settings.slabRecords();
        this.maxBytes = settings.memoryBytes();
    }

    /**
     * Adds a reader.
     *
     * @param reader who reads
     */
    public void add(Reader reader) {
        readers.add(reader);
    }

    /**
     * Removes a reader.
     *
     * @param reader who no longer reads
     */
    public void remove(Reader reader) {
        readers.remove(reader);
    }

    /**
     * Returns whether it is worth while to hand in what is published: some reader is close enough to reach it before it is
     * dropped.
     *
     * @param tails where each partition ends, as far as known
     * @return whether anybody would read it
     */
    public boolean isWanted(Map<StreamPartition, Long> tails) {
        for (Reader reader : readers) {
            Long tail = tails.get(reader.partition());
            if (tail == null || tail - reader.position() < slabRecords) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes in what this node's relay published, and tells the readers.
     *
     * @param at where
     * @param tail the position behind the last record
     * @param records the records; empty if only their number is known
     */
    public void published(StreamPartition at, long tail, List<LogRecord> records) {
        synchronized (this) {
            Partition partition = partition(at);
            partition.tail = tail;
            partition.tailAsOf = partition.growths;
            keep(at, records);
        }
        tell(at);
    }

    /**
     * Tells the readers that are behind that the log has grown, as seen from afar.
     *
     * @param at which partition
     * @param head the position behind its last record
     */
    public void grown(StreamPartition at, long head) {
        synchronized (this) {
            Partition partition = partition(at);
            if (partition.tail < head) {
                partition.growths++;
            }
        }
        for (Reader reader : readers) {
            if (reader.partition().equals(at) && reader.position() < head) {
                reader.grown();
            }
        }
    }

    /** Tells all readers that the log may have grown. */
    public void allGrown() {
        synchronized (this) {
            readers.forEach(reader -> partition(reader.partition()).growths++);
        }
        readers.forEach(Reader::grown);
    }

    /**
     * Reads records: from memory, or from the log through one reader for all that want the same at the same time.
     *
     * @param at of which partition
     * @param from the first position
     * @param limit how many at the most
     * @param log reads them from the log
     * @return the records from that position on, or from the first kept one behind it; empty at the end
     */
    public List<LogRecord> read(StreamPartition at, long from, int limit, Supplier<List<LogRecord>> log) {
        List<LogRecord> known = read(at, from, limit);
        if (!known.isEmpty() || isTail(at, from)) {
            return known;
        }
        Place place = new Place(at, from);
        CompletableFuture<List<LogRecord>> mine = new CompletableFuture<>();
        CompletableFuture<List<LogRecord>> others = reading.putIfAbsent(place, mine);
        if (others != null) {
            return joined(others, limit);
        }
        try {
            List<LogRecord> records = readLog(at, from, log);
            mine.complete(records);
            return records;
        } catch (RuntimeException | Error failure) {
            mine.completeExceptionally(failure);
            throw failure;
        } finally {
            reading.remove(place);
        }
    }

    private static List<LogRecord> joined(CompletableFuture<List<LogRecord>> others, int limit) {
        try {
            List<LogRecord> records = others.join();
            return records.subList(0, Math.min(limit, records.size()));
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }

    private List<LogRecord> readLog(StreamPartition at, long from, Supplier<List<LogRecord>> log) {
        long growths = growths(at);
        List<LogRecord> records = log.get();
        synchronized (this) {
            if (records.isEmpty()) {
                Partition partition = partition(at);
                partition.tail = from;
                partition.tailAsOf = growths;
            } else if (isShared(at)) {
                keep(at, dense(records));
            }
        }
        return records;
    }

    /** What only one cursor reads it reads once. */
    private boolean isShared(StreamPartition at) {
        return readers.stream().filter(reader -> reader.partition().equals(at)).count() > 1;
    }

    private synchronized long growths(StreamPartition at) {
        return partition(at).growths;
    }

    private synchronized boolean isTail(StreamPartition at, long position) {
        Partition partition = partition(at);
        return partition.tail == position && partition.tailAsOf == partition.growths;
    }

    /** Forgets all records. */
    public synchronized void clear() {
        partitions.values().forEach(partition -> {
            partition.slabs.clear();
            partition.tail = -1;
        });
        byUse.clear();
        bytes = 0;
    }

    /** The records up to the first hole: only what is dense may stand in one slab. */
    static List<LogRecord> dense(List<LogRecord> records) {
        for (int i = 1; i < records.size(); i++) {
            if (records.get(i).position() != records.get(i - 1).position() + 1) {
                return records.subList(0, i);
            }
        }
        return records;
    }

    /** Joins slabs that follow each other: what is published comes in small ones. */
    private synchronized List<LogRecord> read(StreamPartition at, long from, int limit) {
        Partition partition = partition(at);
        List<LogRecord> found = new ArrayList<>();
        long next = from;
        while (found.size() < limit) {
            Map.Entry<Long, Slab> entry = partition.slabs.floorEntry(next);
            if (entry == null || entry.getValue().end() <= next) {
                return found;
            }
            Slab slab = entry.getValue();
            byUse.get(new Place(at, slab.first()));
            int begin = (int) (next - slab.first());
            int end = Math.min(slab.records().size(), begin + limit - found.size());
            found.addAll(slab.records().subList(begin, end));
            next = slab.first() + end;
        }
        return found;
    }

    /** Keeps what is not kept yet. */
    private void keep(StreamPartition at, List<LogRecord> records) {
        TreeMap<Long, Slab> slabs = partition(at).slabs;
        List<LogRecord> rest = dense(records);
        while (!rest.isEmpty()) {
            long first = rest.get(0).position();
            Map.Entry<Long, Slab> before = slabs.floorEntry(first);
            long covered =
                    before == null ? first : Math.max(first, before.getValue().end());
            Long after = slabs.ceilingKey(covered);
            int begin = (int) Math.min(rest.size(), covered - first);
            int end = after == null ? rest.size() : (int) Math.min(rest.size(), after - first);
            if (begin < end) {
                add(at, new Slab(List.copyOf(rest.subList(begin, end)), bytesOf(rest.subList(begin, end))));
            }
            rest = rest.subList(Math.max(begin, end), rest.size());
        }
        dropOldest();
    }

    private void add(StreamPartition at, Slab slab) {
        partition(at).slabs.put(slab.first(), slab);
        byUse.put(new Place(at, slab.first()), slab);
        bytes += slab.bytes();
    }

    private void dropOldest() {
        var oldest = byUse.entrySet().iterator();
        while (bytes > maxBytes && oldest.hasNext()) {
            Map.Entry<Place, Slab> entry = oldest.next();
            oldest.remove();
            partition(entry.getKey().partition()).slabs.remove(entry.getKey().position());
            bytes -= entry.getValue().bytes();
        }
    }

    private static long bytesOf(List<LogRecord> records) {
        long sum = 0;
        for (LogRecord record : records) {
            sum += record.size() + OVERHEAD;
        }
        return sum;
    }

    /** What a record weighs besides its payload, roughly. */
    private static final int OVERHEAD = 256;

    private Partition partition(StreamPartition at) {
        return partitions.computeIfAbsent(at, p -> new Partition());
    }

    private void tell(StreamPartition at) {
        for (Reader reader : readers) {
            if (reader.partition().equals(at)) {
                reader.grown();
            }
        }
    }
}
