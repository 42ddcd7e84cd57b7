// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import dev.fanout.Appended;
import dev.fanout.Applied;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long after its commit an update is seen.
 *
 * <p>Updates come at a steady pace, whether those before have been seen or not. The watch starts when {@code commit()}
 * has returned to the application, and is stopped three times, by threads that have waited from then on.
 */
final class Freshness implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int RETIRED_EVERY = 10;

    private final Node node;
    private final ExecutorService watchers = Executors.newCachedThreadPool();
    private final ScheduledExecutorService pacer = Executors.newSingleThreadScheduledExecutor();

    private final Times searchable = new Times("a search of the index finds it");
    private final Times indexed = new Times("\"search\" has acknowledged it, index on disk");
    private final Times counted = new Times("\"packages\" has acknowledged it, rows committed");

    Freshness(Node node) {
        this.node = node;
    }

    /** The times of one thing that is waited for. */
    static final class Times {

        private final String what;
        private final List<Future<Long>> waiting = new ArrayList<>();

        private Times(String what) {
            this.what = what;
        }

        /** The times within which half, and 99 of 100, were seen, once all have been. */
        String line() throws InterruptedException, ExecutionException {
            long[] nanos = new long[waiting.size()];
            for (int i = 0; i < nanos.length; i++) {
                nanos[i] = waiting.get(i).get();
            }
            Arrays.sort(nanos);
            return String.format(Locale.ROOT, "%-46s p50 %6.2f ms   p99 %6.2f ms", what, at(nanos, 50), at(nanos, 99));
        }

        private static double at(long[] sorted, int percent) {
            return sorted[(sorted.length - 1) * percent / 100] / 1e6;
        }
    }

    /** Changes each asset once, every tenth by retiring it. */
    List<String> measure(List<String> ids, Duration pace, Progress progress) throws Exception {
        Semaphore beats = new Semaphore(0);
        var beating = pacer.scheduleAtFixedRate(beats::release, 0, pace.toNanos(), TimeUnit.NANOSECONDS);
        for (int i = 0; i < ids.size(); i++) {
            beats.acquire();
            update(ids.get(i), i % RETIRED_EVERY == 0);
            progress.add(1);
        }
        beating.cancel(false);
        return List.of(searchable.line(), indexed.line(), counted.line());
    }

    @Override
    public void close() {
        pacer.shutdownNow();
        watchers.shutdownNow();
    }

    private void update(String id, boolean retire) throws Exception {
        Assets.Row row = node.assets().read(id);
        Asset grown = row.asset().resized(row.asset().size() + 1);
        Appended update = node.assets().write(retire ? row.toRetired() : row.to(grown));
        long committed = System.nanoTime();
        watch(searchable, committed, () -> node.index().awaitSearchable(id, update.version(), LIMIT));
        watch(indexed, committed, () -> isApplied(Node.SEARCH, update));
        watch(counted, committed, () -> isApplied(Node.PACKAGES, update));
    }

    private void watch(Times times, long committed, Callable<Boolean> seen) {
        times.waiting.add(watchers.submit(() -> {
            if (!seen.call()) {
                throw new IllegalStateException("not within " + LIMIT + ": " + times.what);
            }
            return System.nanoTime() - committed;
        }));
    }

    private boolean isApplied(String child, Appended update) {
        return node.fanout().awaitApplied(child, update, LIMIT) == Applied.APPLIED;
    }
}
