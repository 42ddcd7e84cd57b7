// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.step;

import dev.fanout.spi.Platform;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * Calls that may block in the store, made on the platform's threads: whoever wants the answer waits for it no longer than it
 * likes, while the call goes on for as long as the store's own limits let it.
 */
public final class Aside {

    /** Half of the range, so that a moment can be added. */
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

    private Aside() {}

    /**
     * Begins a call.
     *
     * @param <R> what it returns
     * @param platform whose threads
     * @param call what to do
     * @return its answer, or what it threw; refused at once where the platform has been shut down
     */
    public static <R> CompletableFuture<R> begin(Platform platform, Supplier<R> call) {
        CompletableFuture<R> answer = new CompletableFuture<>();
        try {
            platform.execute(() -> answer(call, answer));
        } catch (RejectedExecutionException shutDown) {
            answer.completeExceptionally(shutDown);
        }
        return answer;
    }

    private static <R> void answer(Supplier<R> call, CompletableFuture<R> answer) {
        try {
            answer.complete(call.get());
        } catch (Throwable failure) {
            answer.completeExceptionally(failure);
        }
    }

    /**
     * Turns a duration into nanoseconds that can be added to a moment: at least none, at most centuries.
     *
     * @param duration any duration
     * @return nanoseconds
     */
    public static long nanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(LONGEST) < 0 ? duration.toNanos() : LONGEST.toNanos();
    }
}
