// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import dev.fanout.spi.Attachments;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Leases;
import dev.fanout.spi.Log;
import dev.fanout.spi.Outbox;
import dev.fanout.spi.Parked;
import dev.fanout.spi.Platform;
import dev.fanout.spi.Retention;
import dev.fanout.spi.Store;
import dev.fanout.spi.Wakes;

/**
 * A store in front of another: all that does not name the transaction's handle is the other's, unless it is overridden. Safe
 * for use by many threads if the other is.
 *
 * @param <T> the transaction handle of the application
 */
public abstract class ForwardingStore<T> implements Store<T> {

    private final Store<?> store;

    /**
     * Stands in front of a store.
     *
     * @param store the other one; closed with this one
     */
    protected ForwardingStore(Store<?> store) {
        this.store = store;
    }

    @Override
    public void take() {
        store.take();
    }

    @Override
    public Platform platform() {
        return store.platform();
    }

    @Override
    public Layout open(Declaration declaration) {
        return store.open(declaration);
    }

    @Override
    public void checkMayRun() {
        store.checkMayRun();
    }

    @Override
    public Outbox outbox() {
        return store.outbox();
    }

    @Override
    public Log log() {
        return store.log();
    }

    @Override
    public Parked parked() {
        return store.parked();
    }

    @Override
    public Attachments attachments() {
        return store.attachments();
    }

    @Override
    public Retention retention() {
        return store.retention();
    }

    @Override
    public Leases leases() {
        return store.leases();
    }

    @Override
    public Wakes wakes() {
        return store.wakes();
    }

    @Override
    public void close() {
        store.close();
    }
}
