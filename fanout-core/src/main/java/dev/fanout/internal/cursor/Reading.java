// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.spi.Log;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.StreamPartition;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where a cursor's records come from: from this node's memory, which asks the log.
 *
 * <p>A delay child asks the log itself, since only the database's clock knows what is due. It asks once, and then not before
 * the first record that was not due is: nothing behind that one can be.
 */
final class Reading {

    private final StreamPartition partition;
    private final Duration delay;
    private final Log log;
    private final Slabs slabs;

    Reading(StreamPartition partition, Duration delay, Log log, Slabs slabs) {
        this.partition = partition;
        this.delay = delay;
        this.log = log;
        this.slabs = slabs;
    }

    /** Reads at most {@code limit} records and so many bytes from a position on, up to the first hole behind the first of them. */
    Log.Slab read(long position, int limit, int bytes) {
        if (!delay.isZero()) {
            Log.Slab read = log.read(partition, position, limit, bytes, delay);
            return new Log.Slab(Slabs.dense(read.records()), read.dueIn());
        }
        List<LogRecord> records = slabs.read(
                partition,
                position,
                limit,
                () -> log.read(partition, position, limit, bytes, Duration.ZERO).records());
        return new Log.Slab(Slabs.dense(records), Optional.empty());
    }
}
