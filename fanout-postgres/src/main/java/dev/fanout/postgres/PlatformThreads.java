// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the threads of one platform, and knows them. An executor says that it has terminated while its last thread is
 * still on its way out; a host that looks for leaks after closing would find it, so the threads themselves are joined.
 */
final class PlatformThreads implements ThreadFactory {

    private final String prefix;
    private final AtomicLong count = new AtomicLong();
    private final Set<Thread> made = ConcurrentHashMap.newKeySet();

    PlatformThreads(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public Thread newThread(Runnable task) {
        made.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
        Thread thread = new Thread(task, prefix + count.incrementAndGet());
        thread.setDaemon(true);
        made.add(thread);
        return thread;
    }

    /**
     * Waits until every thread has ended, except the one that asks.
     *
     * @param deadline by {@link System#nanoTime()}
     * @return whether they had ended in time
     */
    boolean join(long deadline) {
        for (Thread thread : made) {
            if (thread != Thread.currentThread() && !join(thread, deadline)) {
                return false;
            }
        }
        return true;
    }

    private static boolean join(Thread thread, long deadline) {
        try {
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(0, deadline - System.nanoTime()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
