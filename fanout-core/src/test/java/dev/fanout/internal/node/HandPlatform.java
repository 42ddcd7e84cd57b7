// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.node;

import dev.fanout.spi.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Holds tasks back while it is told to: a handler that does not end. */
final class HandPlatform implements Platform {

    private final Platform delegate;
    private final List<Runnable> heldTasks = new ArrayList<>();
    BooleanSupplier held = () -> false;

    HandPlatform(Platform delegate) {
        this.delegate = delegate;
    }

    void runHeld() {
        List<Runnable> tasks = List.copyOf(heldTasks);
        heldTasks.clear();
        tasks.forEach(delegate::execute);
    }

    @Override
    public long nanoTime() {
        return delegate.nanoTime();
    }

    @Override
    public void execute(Runnable task) {
        if (held.getAsBoolean()) {
            heldTasks.add(task);
        } else {
            delegate.execute(task);
        }
    }

    @Override
    public void executeAll(List<Runnable> tasks, int atOnce) {
        delegate.executeAll(tasks, atOnce);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return delegate.schedule(delay, task);
    }

    @Override
    public long random() {
        return delegate.random();
    }

    @Override
    public boolean shutdown(Duration timeout) {
        return delegate.shutdown(timeout);
    }
}
