// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.Entity;
import dev.fanout.EntityRef;
import dev.fanout.spi.Appends;
import dev.fanout.spi.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The application's side. */
final class MemoryAppends implements Appends<MemoryTransaction> {

    private final MemoryDatabase database;
    private final Opened opened;

    MemoryAppends(MemoryDatabase database, Opened opened) {
        this.database = database;
        this.opened = opened;
    }

    @Override
    public List<Result> append(MemoryTransaction tx, List<EntityAppend> batch) {
        Objects.requireNonNull(tx, "tx");
        synchronized (database) {
            tx.requireLive();
            batch.forEach(append -> database.transactions.lock(tx, append.entity()));
            AppendPlan plan = new AppendPlan(tx, database.clock.instant());
            List<Result> results = new ArrayList<>(batch.size());
            batch.forEach(append -> results.add(plan.add(append)));
            plan.write();
            // MUST come last: a held lane proves "the relay looks" only to a transaction that already has its id
            wake(tx, batch, results);
            return results;
        }
    }

    private void wake(MemoryTransaction tx, List<EntityAppend> batch, List<Result> results) {
        for (int i = 0; i < batch.size(); i++) {
            if (results.get(i) instanceof Result.Written) {
                batch.get(i).events().stream()
                        .flatMap(event -> event.routes().stream())
                        .map(Route::lane)
                        .filter(this::asleep)
                        .forEach(tx.notifications::add);
            }
        }
    }

    private boolean asleep(int lane) {
        return database.wakes.asleep(lane, opened.settings().wakeMode());
    }

    @Override
    public Optional<Entity> find(MemoryTransaction tx, EntityRef entity) {
        synchronized (database) {
            tx.requireLive();
            return Optional.ofNullable(tx.entities.rows.get(entity))
                    .or(() -> database.entities.row(entity))
                    .map(row -> row.entity(entity, opened.codec()));
        }
    }

    @Override
    public Optional<Layout> layout(MemoryTransaction tx) {
        synchronized (database) {
            tx.requireLive();
            return database.layout.read();
        }
    }

    @Override
    public <R> R inTransaction(Work<MemoryTransaction, R> work) throws Exception {
        try (MemoryTransaction tx = database.begin()) {
            R result = work.in(tx);
            tx.commit();
            return result;
        }
    }
}
