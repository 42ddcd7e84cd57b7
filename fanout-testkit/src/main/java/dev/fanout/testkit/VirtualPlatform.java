// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import dev.fanout.spi.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;

/**
 * Time, threads and randomness under a test's control: tasks run one by one on the thread of the test, in the order of their
 * times, and the clock jumps from one to the next. The same seed gives the same run, whatever the machine does; among tasks
 * that are due at the same moment the seed chooses.
 *
 * <p>One platform is one process. Several on one timeline ({@link #another}) are several processes: their clocks advance
 * together, but show different times, as monotonic clocks do.
 *
 * <p>For use by one thread. A call that waits for an engine's tasks ({@code build}, {@code awaitApplied}, {@code close}) lets
 * time pass until they have ended, or the wait is over.
 */
public final class VirtualPlatform implements Platform {

    private final Timeline timeline;
    private final Random random;
    private final long start;
    private boolean stopped;
    private boolean shutDown;

    private VirtualPlatform(Timeline timeline, long seed) {
        this.timeline = timeline;
        this.random = new Random(seed);
        this.start = random.nextLong();
    }

    /**
     * Makes a platform on a timeline of its own.
     *
     * @param seed decides on every choice
     * @return the platform
     */
    public static VirtualPlatform seeded(long seed) {
        return new VirtualPlatform(new Timeline(new Random(seed)), seed);
    }

    /**
     * Makes another process on the same timeline.
     *
     * @return the platform
     */
    public VirtualPlatform another() {
        return new VirtualPlatform(timeline, random.nextLong());
    }

    /**
     * Lets time pass, and everything happen that falls due in it, in every process of the timeline.
     *
     * @param time how long
     */
    public void pass(Duration time) {
        timeline.runUntil(timeline.now() + time.toNanos(), () -> false);
    }

    /** Lets everything happen that is due now. */
    public void settle() {
        pass(Duration.ZERO);
    }

    /**
     * Lets time pass until something holds.
     *
     * @param condition what is waited for; asked after each task
     * @param atMost how long to wait
     * @return how long it took, or more than {@code atMost} if it never held
     */
    public Duration passUntil(BooleanSupplier condition, Duration atMost) {
        long begun = timeline.now();
        boolean held = condition.getAsBoolean() || timeline.runUntil(begun + atMost.toNanos(), condition);
        Duration took = Duration.ofNanos(timeline.now() - begun);
        return held ? took : took.plusNanos(1);
    }

    /** Stops this process, as SIGSTOP or a long garbage collection would: its clock goes on, and it does nothing. */
    public void stop() {
        stopped = true;
    }

    /** Lets a stopped process go on, with all that fell due meanwhile. */
    public void resume() {
        stopped = false;
    }

    boolean isRunnable() {
        return !stopped;
    }

    @Override
    public long nanoTime() {
        return start + timeline.now();
    }

    @Override
    public void execute(Runnable task) {
        add(Duration.ZERO, task);
    }

    /** One after another, on the thread of the test; which of those that could run together comes first, the seed chooses. */
    @Override
    public void executeAll(List<Runnable> tasks, int atOnce) {
        List<Runnable> open = new ArrayList<>(tasks);
        while (!open.isEmpty()) {
            open.remove(random.nextInt(Math.min(atOnce, open.size()))).run();
        }
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return add(delay, task);
    }

    private Timer add(Duration delay, Runnable task) {
        if (shutDown) {
            throw new RejectedExecutionException("this process has been shut down");
        }
        return timeline.add(this, delay, task);
    }

    /** Lets time pass. */
    @Override
    public boolean await(Future<?> end, long nanos) {
        return end.isDone() || timeline.runUntil(timeline.now() + nanos, end::isDone);
    }

    @Override
    public long random() {
        return random.nextLong();
    }

    /** Forgets all tasks and refuses further ones; called without closing the engine, it is a kill. */
    @Override
    public boolean shutdown(Duration timeout) {
        shutDown = true;
        timeline.forget(this);
        return true;
    }
}
