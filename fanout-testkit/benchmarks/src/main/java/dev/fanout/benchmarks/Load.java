// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.benchmarks.Way.Appender;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Threads that append flat out, each on a connection of its own, to entities drawn evenly. */
final class Load implements AutoCloseable {

    private final LongAdder committed = new LongAdder();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopping;

    private Load() {}

    static Load start(Way way, int count) throws SQLException {
        Load load = new Load();
        for (int i = 0; i < count; i++) {
            Appender appender = way.appender();
            SplittableRandom random = new SplittableRandom(i);
            load.threads.add(new Thread(() -> load.append(appender, random), "appender-" + i));
        }
        load.threads.forEach(Thread::start);
        return load;
    }

    /** How many appends have committed. */
    long committed() {
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("an appender has failed", failed);
        }
        return committed.sum();
    }

    /** How much a count grows in a second, over this time from now on. */
    static double rate(LongSupplier count, Duration time) {
        long countBefore = count.getAsLong();
        long before = System.nanoTime();
        Bench.pause(time);
        long grown = count.getAsLong() - countBefore;
        return grown * 1e9 / (System.nanoTime() - before);
    }

    @Override
    public void close() {
        stopping = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void append(Appender appender, SplittableRandom random) {
        try (appender) {
            while (!stopping) {
                appender.append(Payloads.entity(random.nextInt(Payloads.ENTITIES)), Payloads.document());
                committed.increment();
            }
        } catch (SQLException | RuntimeException e) {
            failure.set(e);
        }
    }
}
