// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kit;

import dev.fanout.FanoutListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts what an operator would. */
public final class Ears implements FanoutListener {

    /** Batches as published, by their number of rows. */
    public final List<Integer> published = new CopyOnWriteArrayList<>();

    public final List<String> taken = new CopyOnWriteArrayList<>();
    public final List<String> reloaded = new CopyOnWriteArrayList<>();
    public final List<String> fenced = new CopyOnWriteArrayList<>();
    public final List<Throwable> failures = new CopyOnWriteArrayList<>();
    public final AtomicInteger unavailable = new AtomicInteger();
    public final AtomicInteger available = new AtomicInteger();
    /** Passes of the reconciler that looked at a cursor. */
    public final AtomicInteger passes = new AtomicInteger();

    @Override
    public void published(int lane, int events, WakeSource source) {
        published.add(events);
    }

    @Override
    public void failed(String child, int partition, int attempts, @Nullable Throwable cause, Duration pause) {
        if (cause != null) {
            failures.add(cause);
        }
    }

    @Override
    public void lag(String child, int partition, long records) {
        passes.incrementAndGet();
    }

    @Override
    public void leaseTaken(String resource, long token) {
        taken.add(resource);
    }

    @Override
    public void fenced(String resource) {
        fenced.add(resource);
    }

    @Override
    public void reloaded(String resource) {
        reloaded.add(resource);
    }

    @Override
    public void storeUnavailable(Throwable cause) {
        unavailable.incrementAndGet();
    }

    @Override
    public void storeAvailable() {
        available.incrementAndGet();
    }
}
