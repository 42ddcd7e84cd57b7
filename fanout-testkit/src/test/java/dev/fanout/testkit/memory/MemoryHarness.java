// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.spi.Store;
import dev.fanout.testkit.contract.Harness;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

final class MemoryHarness implements Harness<MemoryTransaction> {

    private final MemoryDatabase database = MemoryDatabase.create();
    private final List<MemoryStore> stores = new ArrayList<>();

    @Override
    public Store<MemoryTransaction> connect() {
        MemoryStore store = database.connect();
        stores.add(store);
        return store;
    }

    @Override
    public MemoryTransaction begin() {
        return database.begin();
    }

    @Override
    public void commit(MemoryTransaction tx) {
        tx.commit();
    }

    @Override
    public void rollback(MemoryTransaction tx) {
        tx.rollback();
    }

    @Override
    public long id(MemoryTransaction tx) {
        return tx.id().orElseThrow();
    }

    @Override
    public void put(MemoryTransaction tx, String key, String value) {
        tx.put(key, value);
    }

    @Override
    public Optional<String> get(String key) {
        return database.row(key);
    }

    @Override
    public void close() {
        stores.forEach(MemoryStore::close);
    }
}
