// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds the threads that somebody started and left running. */
public final class ThreadWatch {

    private final Set<Thread> before;

    private ThreadWatch(Set<Thread> before) {
        this.before = before;
    }

    /** Remembers the threads that are there now. */
    public static ThreadWatch begin() {
        return new ThreadWatch(Set.copyOf(Thread.getAllStackTraces().keySet()));
    }

    /** The threads that came later and are alive when the grace is over; each has until then to end. */
    public List<Thread> leftAfter(Duration grace) {
        long end = System.nanoTime() + grace.toNanos();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(this::isSuspect)
                .filter(thread -> outlives(thread, end))
                .toList();
    }

    /** Names and stacks, for a message. */
    public static String describe(List<Thread> threads) {
        return threads.stream().map(ThreadWatch::describe).collect(Collectors.joining());
    }

    private boolean isSuspect(Thread thread) {
        boolean ours = thread.getName().startsWith("fanout");
        boolean runners = thread.getName().startsWith("junit");
        return !before.contains(thread) && (ours || !thread.isDaemon()) && !runners;
    }

    private static boolean outlives(Thread thread, long end) {
        try {
            thread.join(Math.max(1, Duration.ofNanos(end - System.nanoTime()).toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return thread.isAlive();
    }

    private static String describe(Thread thread) {
        String stack = Arrays.stream(thread.getStackTrace())
                .map(frame -> "\n    at " + frame)
                .collect(Collectors.joining());
        return "thread '" + thread.getName() + "' (" + thread.getState() + ")" + stack + "\n";
    }
}
