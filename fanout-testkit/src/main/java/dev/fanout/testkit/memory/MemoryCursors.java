// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.EntityRef;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Layout;
import dev.fanout.spi.StreamPartition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The children's side. */
final class MemoryCursors implements Cursors<MemoryTransaction> {

    private final MemoryDatabase database;
    private final Opened opened;

    MemoryCursors(MemoryDatabase database, Opened opened) {
        this.database = database;
        this.opened = opened;
    }

    @Override
    public Cursor cursor(Layout.Attachment attachment, int partition) {
        synchronized (database) {
            return database.cursors.cursor(attachment, partition);
        }
    }

    @Override
    public Map<Long, Gate> gates(Layout.Attachment attachment, Collection<Long> entities) {
        synchronized (database) {
            Map<Long, Gate> found = new HashMap<>();
            for (long entity : entities) {
                Gate gate = gate(attachment, entity);
                if (!gate.equals(Gate.OPEN)) {
                    found.put(entity, gate);
                }
            }
            return found;
        }
    }

    private Gate gate(Layout.Attachment attachment, long entity) {
        return new Gate(
                database.cursors.gate(attachment, entity).orElse(0), database.parked.isParked(attachment, entity));
    }

    @Override
    public void advance(Advance advance) {
        synchronized (database) {
            database.leases.fence(advance.lease());
            if (!database.layout.attached(advance.attachment())) {
                throw new FencedException(advance.lease());
            }
            requireDelivered(advance);
            database.cursors.check(advance);
            List<OutboxTable.Row> forwarded = forwarded(advance);
            database.cursors.advance(advance);
            if (advance.to().counts().lost() > advance.from().counts().lost()) {
                database.layout.lost(advance.attachment());
            }
            database.parked.advance(advance, database.clock.instant(), database.entities, database.log);
            publish(forwarded);
        }
    }

    /** Draws the ids in the order of the positions, as the transaction that commits at once. */
    private List<OutboxTable.Row> forwarded(Advance advance) {
        List<Forward> inOrder = advance.forwarded().stream()
                .sorted(Comparator.comparingLong(Forward::position))
                .toList();
        List<OutboxTable.Row> rows = new ArrayList<>();
        for (Forward forward : inOrder) {
            LogTable.Row record = database.log
                    .at(advance.attachment().stream(), advance.partition(), forward.position())
                    .or(() -> database.parked.event(advance.attachment(), forward.entityNo(), forward.version()))
                    .orElseThrow(() -> new ForgottenException(
                            "child " + advance.attachment().child()
                                    + " was to pass on position " + forward.position()
                                    + ", which the log no longer holds; nothing was written"));
            rows.add(database.outbox.draw(record.event(), forward.route()));
        }
        return rows;
    }

    private void publish(List<OutboxTable.Row> rows) {
        rows.forEach(database.outbox::commit);
        rows.stream()
                .map(OutboxTable.Row::lane)
                .distinct()
                .filter(lane -> database.wakes.asleep(lane, opened.settings().wakeMode()))
                .forEach(database.wakes::appended);
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
    public Gate gate(Layout.Attachment attachment, EntityRef entity) {
        synchronized (database) {
            return database.entities
                    .row(entity)
                    .map(row -> gate(attachment, row.no()))
                    .orElse(Gate.OPEN);
        }
    }
}
