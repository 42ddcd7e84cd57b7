// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.Event;
import dev.fanout.HandlerTimeoutException;
import dev.fanout.Outcome;
import dev.fanout.spi.Platform;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls user code. Whatever it throws, an {@link Error} included, is an answer, and a call that does not return in time is
 * interrupted. Code that ignores the interrupt keeps its thread and the child's partition until it returns, since nobody
 * can know what it still writes; everything else goes on.
 */
final class Handler {

    private final Platform platform;
    private final Duration timeout;

    /**
     * Makes the handler of a child.
     *
     * @param platform the timer
     * @param timeout how long a call may take
     */
    Handler(Platform platform, Duration timeout) {
        this.platform = platform;
        this.timeout = timeout;
    }

    /** A projection's method. */
    @FunctionalInterface
    interface Call {

        /**
         * Applies events.
         *
         * @param events the events, at least one
         * @return the outcomes of the first so many
         * @throws Exception if all of it failed
         */
        List<Outcome> apply(List<Event> events) throws Exception;
    }

    /** Calls, on this thread. */
    Answers call(List<Event> events, Call projection) {
        Watch watch = new Watch(Thread.currentThread());
        Platform.Timer timer = platform.schedule(timeout, watch::interrupt);
        try {
            Answers answers = Answers.of(events, projection.apply(events));
            return watch.ended() && answers.refusal() != null ? answers.because(late(null)) : answers;
        } catch (Throwable failure) {
            if (watch.ended()) {
                return Answers.failed(late(failure));
            }
            return Answers.failed(failure);
        } finally {
            timer.cancel();
            // the thread is the engine's, which ends by other means: a flag left behind would only fail the cursor's
            // write
            Thread.interrupted();
        }
    }

    private HandlerTimeoutException late(@Nullable Throwable failure) {
        return new HandlerTimeoutException(timeout, failure);
    }

    /** MUST NOT interrupt a thread that has gone on to something else. */
    private static final class Watch {
        private final Thread thread;
        private boolean over;
        private boolean interrupted;

        Watch(Thread thread) {
            this.thread = thread;
        }

        synchronized void interrupt() {
            if (!over) {
                interrupted = true;
                thread.interrupt();
            }
        }

        /** Returns whether the call was interrupted, and takes the interrupt back where nobody did. */
        synchronized boolean ended() {
            over = true;
            if (interrupted) {
                Thread.interrupted();
            }
            return interrupted;
        }
    }
}
