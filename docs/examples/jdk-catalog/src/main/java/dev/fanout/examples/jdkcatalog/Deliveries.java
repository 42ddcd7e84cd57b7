// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import dev.fanout.FanoutListener;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Counts what this process delivers: for progress, and to know when it is worth looking. No claim rests on it. */
final class Deliveries implements FanoutListener {

    private final Map<String, Long> delivered = new HashMap<>();

    @Override
    public synchronized void delivered(
            String child, int partition, long applied, long gated, long skipped, long filtered) {
        delivered.merge(child, applied + gated + skipped, Long::sum);
        notifyAll();
    }

    synchronized long of(String child) {
        return delivered.getOrDefault(child, 0L);
    }

    /** Waits until a child has been delivered so many events. */
    synchronized void await(String child, long events, Duration limit) throws InterruptedException, TimeoutException {
        long end = System.nanoTime() + limit.toNanos();
        while (of(child) < events) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new TimeoutException(
                        child + " was delivered " + of(child) + " of " + events + " events within " + limit);
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }
}
