// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** What every piece of data passes on its way through a proxy, and may be held at. */
public final class ProxyGate {

    /** The two directions. */
    public enum Flow {
        /** What the client says. */
        TO_SERVER,
        /** What the server answers. */
        TO_CLIENT
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<Flow> held = EnumSet.noneOf(Flow.class);
    private Duration delay = Duration.ZERO;

    /** Holds one direction, or lets it go. */
    public void hold(Flow flow, boolean hold) {
        change(() -> {
            if (hold) {
                held.add(flow);
            } else {
                held.remove(flow);
            }
        });
    }

    /** Makes everything wait this long before it passes. */
    public void delay(Duration wanted) {
        change(() -> delay = wanted);
    }

    /** Lets everything pass at once. */
    public void open() {
        change(() -> {
            held.clear();
            delay = Duration.ZERO;
        });
    }

    /** Makes everyone at the gate look at the state of their connection again. */
    void nudge() {
        change(() -> {});
    }

    /** Waits until data may pass in a direction, or the connection is given up; tells whether it may pass. */
    boolean pass(Flow flow, BooleanSupplier givenUp) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long nanos = delay.toNanos();
            while (!givenUp.getAsBoolean() && nanos > 0 && !delay.isZero()) {
                nanos = changed.awaitNanos(nanos);
            }
            while (!givenUp.getAsBoolean() && held.contains(flow)) {
                changed.await();
            }
            return !givenUp.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
