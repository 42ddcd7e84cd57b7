// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres;

import dev.fanout.spi.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The platform of a real process: the system's monotonic clock, threads made as they are needed, one timer thread, and
 * a cryptographic random source. All threads are daemons and named {@code fanout-<name>-<n>}; none exists before the
 * first task, and none is left after {@link #shutdown}.
 *
 * <p>Safe for use by many threads. After {@link #shutdown} it refuses tasks with a {@link
 * java.util.concurrent.RejectedExecutionException}.
 */
public final class SystemPlatform implements Platform {

    private static final Logger LOG = LoggerFactory.getLogger(SystemPlatform.class);

    /** Long enough for the next step of a busy worker to find a thread, short enough that an idle host sees few. */
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(5);

    private final Randomness random = new Randomness();
    private final PlatformThreads threads;
    private final ThreadPoolExecutor pool;
    private final ScheduledThreadPoolExecutor timer;

    private SystemPlatform(String name) {
        this.threads = new PlatformThreads("fanout-" + name + "-");
        // no queue and no upper bound: a task that waits behind one that blocks in a store could wait for ever
        this.pool = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS, new SynchronousQueue<>(), threads);
        this.timer = new ScheduledThreadPoolExecutor(1, threads);
        // a worker that is woken calls its timer off: without this the queue would keep every one of them until due
        timer.setRemoveOnCancelPolicy(true);
    }

    /**
     * Makes a platform, with no thread yet.
     *
     * @param name what its threads are called after {@code fanout-}, for people who read thread dumps
     * @return the platform
     */
    public static SystemPlatform create(String name) {
        return new SystemPlatform(Objects.requireNonNull(name, "name"));
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    @Override
    public void executeAll(List<Runnable> tasks, int atOnce) {
        new TogetherTasks(tasks).run(pool, atOnce);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        ScheduledFuture<?> scheduled = timer.schedule(() -> run(task), nanos(delay), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    @Override
    public long random() {
        return random.next();
    }

    /**
     * Refuses new tasks, forgets timers that are not due, waits for running tasks, and interrupts those that have not
     * ended in time.
     *
     * @param timeout how long to wait at the most
     * @return whether all tasks had ended in time
     */
    @Override
    public boolean shutdown(Duration timeout) {
        long deadline = System.nanoTime() + nanos(timeout);
        timer.shutdownNow();
        pool.shutdown();
        boolean ended = threads.join(deadline);
        if (!ended) {
            pool.shutdownNow();
        }
        return ended;
    }

    /** The timer thread is shared: a task that fails is reported and takes nothing with it. */
    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.warn("a timer task failed; the engine goes on with the next", e);
        }
    }

    private static long nanos(Duration duration) {
        // half of the range, so that adding the current time can't overflow
        Duration longest = Duration.ofNanos(Long.MAX_VALUE / 2);
        return duration.compareTo(longest) < 0 ? duration.toNanos() : longest.toNanos();
    }
}
