// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One line that says how far something is and how quick. In a terminal the line is written over; elsewhere, as in a
 * log, a new one follows every two seconds. Safe for use by many threads.
 */
final class Progress implements AutoCloseable {

    private static final Duration IN_TERMINAL = Duration.ofMillis(200);
    private static final Duration ELSEWHERE = Duration.ofSeconds(2);

    private final String what;
    private final long total;
    private final PrintStream out;
    private final boolean terminal;
    private final LongAdder added = new LongAdder();
    private final LongSupplier done;
    private final long begun = System.nanoTime();
    private final ScheduledExecutorService ticker;
    private boolean ended;

    private Progress(String what, long total, PrintStream out, @Nullable LongSupplier done) {
        this.what = what;
        this.total = total;
        this.out = out;
        this.terminal = isTerminal();
        this.done = done != null ? done : added::sum;
        this.ticker = Executors.newSingleThreadScheduledExecutor(Progress::daemon);
    }

    /** Shows what is {@link #add added}. */
    static Progress of(String what, long total, PrintStream out) {
        return new Progress(what, total, out, null).begun();
    }

    /** Shows what is read from elsewhere. */
    static Progress of(String what, long total, PrintStream out, LongSupplier done) {
        return new Progress(what, total, out, done).begun();
    }

    void add(long more) {
        added.add(more);
    }

    /** Writes the line for the last time. */
    @Override
    public synchronized void close() {
        ended = true;
        ticker.shutdownNow();
        out.println((terminal ? "\r" : "") + line());
    }

    private Progress begun() {
        long period = (terminal ? IN_TERMINAL : ELSEWHERE).toMillis();
        var unused = ticker.scheduleAtFixedRate(this::tick, period, period, TimeUnit.MILLISECONDS);
        return this;
    }

    private synchronized void tick() {
        if (ended) {
            return;
        }
        if (terminal) {
            out.print("\r" + line());
            out.flush();
        } else {
            out.println(line());
        }
    }

    private String line() {
        double seconds = (System.nanoTime() - begun) / 1e9;
        long now = done.getAsLong();
        return String.format(
                Locale.ROOT, "  %-26s %,8d / %,-8d %,8.0f/s %7.1f s", what, now, total, now / seconds, seconds);
    }

    @SuppressWarnings("SystemConsoleNull") // the system property jdk.console, as the run sets it, makes it null again
    private static boolean isTerminal() {
        return System.console() != null;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "progress");
        thread.setDaemon(true);
        return thread;
    }
}
