// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.Settings;
import dev.fanout.spi.Log;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.StreamPartition;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Where a cursor's records come from: from memory where this node has them, from the log otherwise.
 *
 * <p>A delay child never reads from memory, since only the database's clock knows what is due. It asks once, and then not
 * before the first record that was not due is: nothing behind that one can be.
 */
final class Reading {

    private final StreamPartition partition;
    private final Duration delay;
    private final Log log;
    private final Fresh fresh;
    private final Settings settings;
    private final AtomicBoolean grownInLog = new AtomicBoolean(true);

    Reading(StreamPartition partition, Duration delay, Log log, Fresh fresh, Settings settings) {
        this.partition = partition;
        this.delay = delay;
        this.log = log;
        this.fresh = fresh;
        this.settings = settings;
    }

    /** Tells that the log may have grown beyond what memory knows. */
    void grown() {
        grownInLog.set(true);
    }

    /** Reads at most {@code limit} records from exactly a position on, up to the first hole. */
    Log.Slab read(long position, int limit) {
        if (delay.isZero()) {
            List<LogRecord> inMemory = fresh.read(partition, position, limit);
            if (!inMemory.isEmpty()) {
                return new Log.Slab(inMemory, Optional.empty());
            }
            if (!grownInLog.getAndSet(false) && fresh.isTail(partition, position)) {
                return new Log.Slab(List.of(), Optional.empty());
            }
        }
        return readLog(position, limit);
    }

    private Log.Slab readLog(long position, int limit) {
        boolean atEnd = false;
        try {
            Log.Slab read = log.read(partition, position, limit, settings.slabBytes(), delay);
            atEnd = read.records().isEmpty();
            return new Log.Slab(dense(read.records()), read.dueIn());
        } finally {
            if (!atEnd) {
                grownInLog.set(true);
            }
        }
    }

    /** The records up to the first hole: what is missing is then counted when the cursor stands before it. */
    private static List<LogRecord> dense(List<LogRecord> records) {
        for (int i = 1; i < records.size(); i++) {
            if (records.get(i).position() != records.get(i - 1).position() + 1) {
                return records.subList(0, i);
            }
        }
        return records;
    }
}
