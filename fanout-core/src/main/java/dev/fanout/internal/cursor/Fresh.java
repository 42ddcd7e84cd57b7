// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.Settings;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.StreamPartition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

/**
 * The records that this node's relay has just published, for this node's cursors: a cursor at the tail costs no query.
 *
 * <p>Of each partition it keeps one run of records without holes, bounded in number and bytes, and drops the oldest. A
 * cursor that does not find its position here reads the log; nothing depends on a record being here. Safe for use by
 * many threads.
 */
public final class Fresh {

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

        /**
         * Is told that its partition has grown.
         *
         * @param here whether the records may be read from memory; otherwise only the log has them
         */
        void grown(boolean here);
    }

    private final int maxRecords;
    private final long maxBytes;
    private final Map<StreamPartition, Run> runs = new HashMap<>();
    private final Set<Reader> readers = new CopyOnWriteArraySet<>();

    /**
     * Makes an empty buffer.
     *
     * @param settings the size of a slab, of which it keeps two
     */
    public Fresh(Settings settings) {
        this.maxRecords = 2 * settings.slabRecords();
        this.maxBytes = 2L * settings.slabBytes();
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
     * Returns whether it is worth while to hand in records: some reader is close enough to reach them before they are
     * dropped.
     *
     * @param tails where each partition ends, as far as known
     * @return whether anybody would read them
     */
    public boolean isWanted(Map<StreamPartition, Long> tails) {
        for (Reader reader : readers) {
            Long tail = tails.get(reader.partition());
            if (tail == null || tail - reader.position() < maxRecords / 2) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes in what this node's relay published, and tells the readers.
     *
     * @param partition where
     * @param tail the position behind the last record
     * @param records the records; empty if only their number is known
     */
    public void published(StreamPartition partition, long tail, List<LogRecord> records) {
        synchronized (this) {
            Run run = runs.computeIfAbsent(partition, p -> new Run());
            run.append(records);
            run.tail = tail;
        }
        tell(partition, true);
    }

    /**
     * Tells the readers of a partition that the log has grown, as seen from afar.
     *
     * @param partition which
     */
    public void grown(StreamPartition partition) {
        tell(partition, false);
    }

    /** Tells all readers that the log may have grown. */
    public void allGrown() {
        readers.forEach(reader -> reader.grown(false));
    }

    /**
     * Returns whether a position is the end of its partition, as far as this node's relay knows.
     *
     * @param partition which partition
     * @param position the position
     * @return false where nothing is known
     */
    public synchronized boolean isTail(StreamPartition partition, long position) {
        Run run = runs.get(partition);
        return run != null && run.tail == position;
    }

    /**
     * Reads records.
     *
     * @param partition of which partition
     * @param from the first position
     * @param limit how many at the most
     * @return the records from exactly that position; empty if they are not here
     */
    public synchronized List<LogRecord> read(StreamPartition partition, long from, int limit) {
        Run run = runs.get(partition);
        return run == null ? List.of() : run.read(from, limit);
    }

    /** Forgets all records. */
    public synchronized void clear() {
        runs.clear();
    }

    private void tell(StreamPartition partition, boolean here) {
        for (Reader reader : readers) {
            if (reader.partition().equals(partition)) {
                reader.grown(here);
            }
        }
    }

    /** Records at consecutive positions. */
    private final class Run {
        private long tail;
        private final List<LogRecord> records = new ArrayList<>();
        private int first;
        private long bytes;

        void append(List<LogRecord> more) {
            for (LogRecord record : more) {
                if (isEmpty()
                        || record.position() != records.get(records.size() - 1).position() + 1) {
                    restart();
                }
                records.add(record);
                bytes += record.size();
            }
            while (records.size() - first > maxRecords || bytes > maxBytes) {
                bytes -= records.get(first++).size();
            }
            if (first > records.size() / 2) {
                records.subList(0, first).clear();
                first = 0;
            }
        }

        List<LogRecord> read(long from, int limit) {
            if (isEmpty()) {
                return List.of();
            }
            long offset = from - records.get(first).position();
            if (offset < 0 || offset >= records.size() - first) {
                return List.of();
            }
            int begin = first + (int) offset;
            return List.copyOf(records.subList(begin, Math.min(records.size(), begin + limit)));
        }

        private boolean isEmpty() {
            return first == records.size();
        }

        private void restart() {
            records.clear();
            first = 0;
            bytes = 0;
        }
    }
}
