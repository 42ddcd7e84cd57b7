// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Frontier;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Outbox;
import dev.fanout.spi.StreamPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The relay's side. */
final class MemoryOutbox implements Outbox {

    private final MemoryDatabase database;
    private final Opened opened;
    private final MemoryWakes self;

    MemoryOutbox(MemoryDatabase database, Opened opened, MemoryWakes self) {
        this.database = database;
        this.opened = opened;
        this.self = self;
    }

    @Override
    public Publication publish(Request request) {
        synchronized (database) {
            database.leases.fence(request.lease());
            checkTails(request.tails());
            List<Placed> placed = place(request);
            if (!placed.isEmpty()) {
                database.outbox.frontier(request.lane(), request.frontier());
                announce(request);
            }
            return new Publication(placed, database.transactions.running(), database.transactions.next());
        }
    }

    private void checkTails(Map<StreamPartition, Long> tails) {
        tails.forEach((partition, remembered) -> {
            long head = database.log.head(partition);
            if (head < remembered) {
                throw new ForgottenException("log of " + partition + " ends at " + head
                        + ", but it was published up to " + remembered + "; nothing was published");
            }
        });
    }

    private List<Placed> place(Request request) {
        List<OutboxTable.Row> rows = request.full()
                ? database.outbox.rows(request.lane())
                : database.outbox.rows(request.lane(), request.frontier());
        List<Placed> placed = new ArrayList<>();
        long bytes = request.withEvents() ? request.bytes() : -1;
        for (OutboxTable.Row row : rows.subList(0, Math.min(request.limit(), rows.size()))) {
            LogRecord record = publish(row);
            bytes = bytes < record.size() ? -1 : bytes - record.size();
            placed.add(new Placed(
                    row.id(), row.to(), record.position(), bytes < 0 ? Optional.empty() : Optional.of(record)));
        }
        return placed;
    }

    private LogRecord publish(OutboxTable.Row row) {
        database.outbox.remove(row);
        return database.log.add(row.to(), row.event(), database.clock.instant()).record(opened.codec());
    }

    private void announce(Request request) {
        if (request.announce()) {
            database.wakes.published(self);
        }
    }

    @Override
    public Frontier frontier(int lane) {
        synchronized (database) {
            return database.outbox.frontier(lane);
        }
    }

    @Override
    public long waiting(int lane) {
        synchronized (database) {
            return database.outbox.rows(lane).size();
        }
    }
}
