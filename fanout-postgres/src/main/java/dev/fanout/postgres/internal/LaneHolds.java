// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where the engine's threads leave what they want of the wake locks, and the listener's thread what it has done.
 *
 * <p>A lane is free, wanted, held, or held and being left. Only the listener's thread takes and lets go of the lock itself;
 * the engine's threads change wishes. A wish that was withdrawn while the thread was trying for the lock is met by
 * {@link #took} answering false: the thread lets go again, and nobody was told that the lane was held.
 */
final class LaneHolds {

    private static final class Lane {
        private boolean wanted;
        private boolean held;
        private @Nullable CompletableFuture<OptionalLong> leaving;
    }

    private final Map<Integer, Lane> lanes = new HashMap<>();
    private boolean rung;

    /** Wishes to hold a lane, and says whether it is held. */
    synchronized boolean hold(int lane) {
        Lane state = lanes.computeIfAbsent(lane, unused -> new Lane());
        if (state.held) {
            return state.leaving == null;
        }
        if (!state.wanted) {
            state.wanted = true;
            ring();
        }
        return false;
    }

    /** Wishes to let go of a lane: empty at once if it is not held, else what the thread answers. */
    synchronized CompletableFuture<OptionalLong> letGo(int lane) {
        Lane state = lanes.computeIfAbsent(lane, unused -> new Lane());
        state.wanted = false;
        if (!state.held) {
            return CompletableFuture.completedFuture(OptionalLong.empty());
        }
        CompletableFuture<OptionalLong> answer = state.leaving;
        if (answer == null) {
            answer = new CompletableFuture<>();
            state.leaving = answer;
            ring();
        }
        return answer;
    }

    /** The lanes to try for. */
    synchronized List<Integer> wanted() {
        List<Integer> found = new ArrayList<>(1);
        lanes.forEach((lane, state) -> {
            if (state.wanted && !state.held) {
                found.add(lane);
            }
        });
        return found;
    }

    /** The lanes to let go of. */
    synchronized List<Integer> leaving() {
        List<Integer> found = new ArrayList<>(1);
        lanes.forEach((lane, state) -> {
            if (state.leaving != null) {
                found.add(lane);
            }
        });
        return found;
    }

    synchronized boolean anyHeld() {
        return lanes.values().stream().anyMatch(state -> state.held);
    }

    /** The lock was taken. Answers false if nobody wants it any more: then it must be let go of. */
    synchronized boolean took(int lane) {
        Lane state = lanes.computeIfAbsent(lane, unused -> new Lane());
        state.held = state.wanted;
        state.wanted = false;
        return state.held;
    }

    /** The lock was let go of. */
    synchronized void left(int lane, long horizon) {
        free(lanes.computeIfAbsent(lane, unused -> new Lane()), OptionalLong.of(horizon));
    }

    /** The session that held all locks is gone. */
    synchronized void lost() {
        lanes.values().forEach(state -> {
            state.wanted = false;
            free(state, OptionalLong.empty());
        });
    }

    private static void free(Lane state, OptionalLong answer) {
        state.held = false;
        if (state.leaving != null) {
            state.leaving.complete(answer);
            state.leaving = null;
        }
    }

    /** Ends a wait of the listener's thread, now or to come. */
    synchronized void ring() {
        rung = true;
        notifyAll();
    }

    /** Waits for a wish, or until the time is over. */
    synchronized void await(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        long left = time.toNanos();
        while (!rung && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = end - System.nanoTime();
        }
        rung = false;
    }
}
