// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.EntityRef;
import dev.fanout.ParkedEntity;
import dev.fanout.spi.Layout;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Parked;
import java.util.List;
import java.util.Optional;

/** What is set aside, as one node reads it and asks for it. */
final class MemoryParked implements Parked {

    private final MemoryDatabase database;
    private final Opened opened;

    MemoryParked(MemoryDatabase database, Opened opened) {
        this.database = database;
        this.opened = opened;
    }

    @Override
    public List<Request> requests(Layout.Attachment attachment, int partition, int limit) {
        synchronized (database) {
            return database.parked.requests(attachment, partition, limit, database.entities::name);
        }
    }

    @Override
    public List<LogRecord> events(Layout.Attachment attachment, long entityNo, int limit, long bytes) {
        synchronized (database) {
            return LogTable.upTo(database.parked.events(attachment, entityNo), limit, bytes).stream()
                    .map(row -> row.record(opened.codec()))
                    .toList();
        }
    }

    @Override
    public long request(Layout.Attachment attachment, Optional<EntityRef> entity, Wish wish) {
        synchronized (database) {
            long asked = ask(attachment, entity, wish);
            if (asked > 0) {
                database.wakes.asked();
            }
            return asked;
        }
    }

    private long ask(Layout.Attachment attachment, Optional<EntityRef> entity, Wish wish) {
        if (entity.isEmpty()) {
            return database.parked.request(attachment, Optional.empty(), wish);
        }
        return entity.flatMap(database.entities::row)
                .map(row -> database.parked.request(attachment, Optional.of(row.no()), wish))
                .orElse(0L);
    }

    @Override
    public List<ParkedEntity> list(Layout.Attachment attachment, int limit) {
        synchronized (database) {
            return database.parked.list(attachment, limit, database.entities);
        }
    }
}
