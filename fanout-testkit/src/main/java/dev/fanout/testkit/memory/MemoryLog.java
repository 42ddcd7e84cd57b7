// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.spi.Log;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.StreamPartition;
import java.util.ArrayList;
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
    public List<LogRecord> read(StreamPartition partition, long from, int limit, long bytes) {
        synchronized (database) {
            List<LogRecord> records = new ArrayList<>();
            long left = bytes;
            for (LogTable.Row row : database.log.from(partition, from)) {
                left -= row.event().size();
                if (records.size() == limit || (left < 0 && !records.isEmpty())) {
                    break;
                }
                records.add(row.record(opened.codec()));
            }
            return records;
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
