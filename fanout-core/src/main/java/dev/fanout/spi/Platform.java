// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Time, threads and randomness, handed to an engine that has none of its own. Safe for use by many threads. */
public interface Platform {

    /**
     * Reads a monotonic clock.
     *
     * @return nanoseconds since some fixed moment
     */
    long nanoTime();

    /**
     * Runs a task soon, on some thread. A task may block in the store or in a projection.
     *
     * @param task what to run
     */
    void execute(Runnable task);

    /**
     * Runs tasks, several at a time, and waits for all of them. They begin in the order given, on threads that may include
     * the caller's.
     *
     * @param tasks what to run; a task does not throw
     * @param atOnce how many at a time, at the most
     */
    void executeAll(List<Runnable> tasks, int atOnce);

    /**
     * Runs a task after a while, on some thread. The task is short: it only hands on.
     *
     * @param delay how long to wait
     * @param task what to run
     * @return a way to call it off
     */
    Timer schedule(Duration delay, Runnable task);

    /**
     * Waits for what another task brings about. Not for use within a step, which would hold its thread.
     *
     * @param end what to wait for; ended is what has failed, too
     * @param nanos how many nanoseconds to wait at the most; an interrupt ends it early, with the thread's flag set
     * @return whether it has ended
     */
    default boolean await(Future<?> end, long nanos) {
        try {
            end.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException | CancellationException either) {
            return end.isDone();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return end.isDone();
    }

    /**
     * Draws a number that no other process draws.
     *
     * @return 64 random bits
     */
    long random();

    /**
     * Ends the threads, waiting for running tasks.
     *
     * @param timeout how long to wait at the most
     * @return whether all tasks had ended in time
     */
    boolean shutdown(Duration timeout);

    /** A task that has been scheduled. */
    interface Timer {

        /** Calls the task off, if it has not begun. */
        void cancel();
    }
}
