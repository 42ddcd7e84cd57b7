// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.step;

import dev.fanout.spi.Platform;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of one worker on the platform's threads, never two at a time.
 *
 * <p>States: IDLE (a timer may be set) → BUSY (a task is with the executor, or runs) → IDLE or BUSY again, and STOPPED. A
 * signal while BUSY is remembered, so that what was written before a signal is always seen by a step that begins after it.
 * Nothing holds a thread while it is IDLE.
 */
public final class Activity {

    private enum State {
        IDLE,
        BUSY,
        STOPPED
    }

    private final Platform platform;
    private final Worker worker;
    private final Outages outages;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    private State state = State.IDLE;
    private boolean signalled;
    private boolean stopping;
    private Platform.@Nullable Timer timer;

    /**
     * Makes an activity that has not begun.
     *
     * @param platform time and threads
     * @param worker whose steps to run
     * @param outages what becomes of failures
     */
    public Activity(Platform platform, Worker worker, Outages outages) {
        this.platform = platform;
        this.worker = worker;
        this.outages = outages;
    }

    /** Asks for a step at once; begins the activity where it has not begun. */
    public synchronized void signal() {
        if (state == State.BUSY) {
            signalled = true;
        } else if (state == State.IDLE) {
            queue();
        }
    }

    /**
     * Asks for a step after a while, unless one comes earlier.
     *
     * @param delay how long to wait
     */
    public void signalAfter(Duration delay) {
        platform.schedule(delay, this::signal);
    }

    /**
     * Ends the activity. A step that is running runs to its end.
     *
     * @return completed when no step runs and none will
     */
    public synchronized CompletableFuture<Void> stop() {
        stopping = true;
        cancelTimer();
        if (state == State.IDLE) {
            end();
        }
        return stopped;
    }

    private void queue() {
        cancelTimer();
        state = State.BUSY;
        try {
            platform.execute(this::run);
        } catch (RejectedExecutionException shutDown) {
            end();
        }
    }

    private void run() {
        boolean more = begin();
        while (more) {
            more = settle(stepOrPause());
        }
    }

    private synchronized boolean begin() {
        signalled = false;
        if (stopping) {
            end();
        }
        return !stopping;
    }

    private Next stepOrPause() {
        try {
            Next next = worker.step();
            if (!next.idle()) {
                outages.succeeded(worker.name());
            }
            return next;
        } catch (Throwable failure) {
            return Next.after(outages.failed(worker.name(), failure));
        }
    }

    /** Returns whether to go on with another step on this thread. */
    private synchronized boolean settle(Next next) {
        if (stopping) {
            end();
            return false;
        }
        if (signalled || next.nanos() <= 0) {
            signalled = false;
            return true;
        }
        state = State.IDLE;
        if (!next.onSignalOnly()) {
            timer = platform.schedule(Duration.ofNanos(next.nanos()), this::signal);
        }
        return false;
    }

    private void end() {
        state = State.STOPPED;
        cancelTimer();
        outages.ended(worker.name());
        stopped.complete(null);
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
