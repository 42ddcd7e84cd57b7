// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.spi.Platform;
import dev.fanout.spi.Wakes;
import java.util.ArrayDeque;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One node's wakes. What it is told is put into a queue under the database's monitor, and handed on from there by one
 * task at a time of the node's own platform: in order, and never under the monitor.
 */
final class MemoryWakes implements Wakes {

    private final MemoryDatabase database;
    private final Platform platform;
    private final Queue<Consumer<Hearer>> told = new ArrayDeque<>();
    private boolean handingOn;

    @Nullable
    private Hearer hearer;

    MemoryWakes(MemoryDatabase database, Platform platform) {
        this.database = database;
        this.platform = platform;
    }

    @Override
    public void listen(Hearer newHearer) {
        synchronized (database) {
            hearer = newHearer;
            database.wakes.join(this);
            tell(Hearer::connected);
        }
    }

    @Override
    public void stop() {
        synchronized (database) {
            database.wakes.leave(this);
            told.clear();
            hearer = null;
        }
    }

    /** Loses the connection with all that it held and was about to hear, and makes it again. */
    void reconnect() {
        synchronized (database) {
            if (database.wakes.listens(this)) {
                database.wakes.letGo(this);
                told.clear();
                tell(Hearer::connected);
            }
        }
    }

    @Override
    public boolean hold(int lane) {
        synchronized (database) {
            return database.wakes.hold(this, lane);
        }
    }

    @Override
    public OptionalLong letGo(int lane) {
        synchronized (database) {
            // MUST be in this order: an append that comes between would be silent, and not be below the snapshot
            boolean held = database.wakes.letGo(this, lane);
            return held ? OptionalLong.of(database.transactions.next()) : OptionalLong.empty();
        }
    }

    void tell(Consumer<Hearer> what) {
        told.add(what);
        if (!handingOn) {
            handingOn = submit();
        }
    }

    /** A node whose threads have ended hears nothing; whoever commits must not notice. */
    private boolean submit() {
        try {
            platform.execute(this::handOn);
            return true;
        } catch (RejectedExecutionException e) {
            told.clear();
            return false;
        }
    }

    private void handOn() {
        try {
            next().run();
        } finally {
            synchronized (database) {
                handingOn = !told.isEmpty() && submit();
            }
        }
    }

    private Runnable next() {
        synchronized (database) {
            Consumer<Hearer> what = told.poll();
            Hearer to = hearer;
            return what == null || to == null ? () -> {} : () -> what.accept(to);
        }
    }
}
