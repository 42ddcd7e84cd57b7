// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import dev.fanout.spi.Platform.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** The time and the tasks that several virtual processes share. */
final class Timeline {

    private record Task(long no, VirtualPlatform process, long due, Runnable work) {

        boolean isDue(long by) {
            return due <= by && process.isRunnable();
        }
    }

    private final Random choices;
    private final List<Task> tasks = new ArrayList<>();
    private long now;
    private long count;

    Timeline(Random choices) {
        this.choices = choices;
    }

    long now() {
        return now;
    }

    Timer add(VirtualPlatform process, Duration delay, Runnable work) {
        Task task = new Task(count++, process, now + Math.max(0, delay.toNanos()), work);
        tasks.add(task);
        return () -> tasks.remove(task);
    }

    void forget(VirtualPlatform process) {
        tasks.removeIf(task -> task.process() == process);
    }

    /** Runs tasks until the condition holds, or the time is over. Returns whether it held. */
    boolean runUntil(long end, BooleanSupplier condition) {
        for (Optional<Task> task = next(end); task.isPresent(); task = next(end)) {
            tasks.remove(task.get());
            now = Math.max(now, task.get().due());
            task.get().work().run();
            if (condition.getAsBoolean()) {
                return true;
            }
        }
        now = end;
        return false;
    }

    /** One of those that are due first. */
    private Optional<Task> next(long end) {
        long first = tasks.stream()
                .filter(task -> task.isDue(end))
                .mapToLong(task -> Math.max(now, task.due()))
                .min()
                .orElse(Long.MAX_VALUE);
        List<Task> due =
                tasks.stream().filter(task -> task.isDue(Math.min(first, end))).toList();
        return due.isEmpty() ? Optional.empty() : Optional.of(due.get(choices.nextInt(due.size())));
    }
}
