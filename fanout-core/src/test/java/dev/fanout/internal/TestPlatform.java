// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.spi.Platform;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/** A platform for unit tests: one thread, a clock that only the test moves, and numbers that repeat. */
public final class TestPlatform implements Platform {

    private record Task(long due, long no, Runnable work) {}

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::due).thenComparingLong(Task::no));
    private final Random random = new Random(7);
    private long now;
    private long count;

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(new Task(now, count++, task));
    }

    @Override
    public void executeAll(List<Runnable> tasks, int atOnce) {
        tasks.forEach(Runnable::run);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Task timed = new Task(now + delay.toNanos(), count++, task);
        tasks.add(timed);
        return () -> tasks.remove(timed);
    }

    @Override
    public long random() {
        return random.nextLong();
    }

    @Override
    public boolean shutdown(Duration timeout) {
        tasks.clear();
        return true;
    }

    /** Runs all that is due, and then all that falls due, until the time has passed. */
    public void pass(Duration time) {
        long end = now + time.toNanos();
        while (!tasks.isEmpty() && tasks.peek().due() <= end) {
            Task next = tasks.remove();
            now = Math.max(now, next.due());
            next.work().run();
        }
        now = end;
    }

    /** Runs all that is due now. */
    public void settle() {
        pass(Duration.ZERO);
    }

    /** Moves the clock without running anything: a process that was stopped for a while. */
    public void freeze(Duration time) {
        now += time.toNanos();
    }
}
