// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.EntityRef;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Layout;
import dev.fanout.spi.StreamPartition;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The children's side. */
final class MemoryCursors implements Cursors<MemoryTransaction> {

    private final MemoryDatabase database;

    MemoryCursors(MemoryDatabase database) {
        this.database = database;
    }

    @Override
    public Cursor cursor(Layout.Attachment attachment, int partition) {
        synchronized (database) {
            return database.cursors.cursor(attachment, partition);
        }
    }

    @Override
    public Map<Long, Long> gates(Layout.Attachment attachment, Collection<Long> entities) {
        synchronized (database) {
            Map<Long, Long> found = new HashMap<>();
            for (long entity : entities) {
                database.cursors.gate(attachment, entity).ifPresent(version -> found.put(entity, version));
            }
            return found;
        }
    }

    @Override
    public void advance(Advance advance) {
        synchronized (database) {
            database.leases.fence(advance.lease());
            if (!database.layout.attached(advance.attachment())) {
                throw new FencedException(advance.lease());
            }
            requireDelivered(advance);
            database.cursors.advance(advance);
        }
    }

    private void requireDelivered(Advance advance) {
        StreamPartition at = new StreamPartition(advance.attachment().stream(), advance.partition());
        advance.last().ifPresent(last -> {
            if (!database.log.holds(at, last)) {
                throw new ForgottenException("the log of " + at + " does not hold event "
                        + last.event().id() + " at " + last.position() + " any more; nothing was written");
            }
        });
    }

    /** The projection runs without the monitor, in a transaction like any other; step and commit are one under it. */
    @Override
    public boolean advance(Delivery<MemoryTransaction> delivery) throws Exception {
        try (MemoryTransaction tx = database.begin()) {
            Advance step = delivery.in(tx);
            if (step == null) {
                return false;
            }
            synchronized (database) {
                tx.requireLive();
                advance(step);
                tx.commit();
            }
            return true;
        }
    }

    @Override
    public OptionalLong applied(Layout.Attachment attachment, EntityRef entity) {
        synchronized (database) {
            Optional<EntityTable.Row> row = database.entities.row(entity);
            return row.isPresent() ? database.cursors.gate(attachment, row.get().no()) : OptionalLong.empty();
        }
    }
}
