// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.step;

import dev.fanout.FanoutListener;
import dev.fanout.StoreUnavailableException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of steps that fail: each worker pauses longer and longer, and people hear of it once per change of
 * state, not once per attempt. Safe for use by many threads.
 *
 * <p>The first worker that misses the store begins an outage. It is over when every worker that missed it has succeeded since
 * then, has failed in another way, or has ended: one that succeeds early says nothing of the connections of the others. An end
 * alone is no news of the store, so the next success tells.
 */
public final class Outages {

    private static final Logger LOG = LoggerFactory.getLogger(Outages.class);

    private final Backoff backoff;
    private final FanoutListener listener;
    private final Map<String, Integer> failures = new HashMap<>();
    private final Set<String> cutOff = new HashSet<>();
    private boolean storeDown;

    /**
     * Makes the record of a healthy engine.
     *
     * @param backoff how pauses grow
     * @param listener who hears of the store going and coming
     */
    public Outages(Backoff backoff, FanoutListener listener) {
        this.backoff = backoff;
        this.listener = listener;
    }

    /**
     * Notes a failed step.
     *
     * @param worker whose
     * @param failure what it threw
     * @return how long the worker pauses
     */
    public Duration failed(String worker, Throwable failure) {
        int count;
        boolean nowDown = false;
        synchronized (this) {
            count = failures.merge(worker, 1, Integer::sum);
            if (failure instanceof StoreUnavailableException) {
                cutOff.add(worker);
                nowDown = !storeDown;
                storeDown = true;
            } else {
                cutOff.remove(worker);
            }
        }
        if (nowDown) {
            LOG.warn("database unavailable, the engine waits and retries cause={}", failure.toString());
            listener.storeUnavailable(failure);
        } else if (count == 1 && !(failure instanceof StoreUnavailableException)) {
            LOG.warn("worker={} failed and will be tried again", worker, failure);
        }
        return backoff.pause(count);
    }

    /**
     * Notes a step that succeeded.
     *
     * @param worker whose
     */
    public void succeeded(String worker) {
        boolean nowUp;
        synchronized (this) {
            if (failures.isEmpty() && !storeDown) {
                return;
            }
            forget(worker);
            nowUp = storeDown && cutOff.isEmpty();
            storeDown &= !nowUp;
        }
        if (nowUp) {
            LOG.warn("database available again");
            listener.storeAvailable();
        }
    }

    /**
     * Notes that a worker takes no more steps.
     *
     * @param worker which
     */
    public synchronized void ended(String worker) {
        forget(worker);
    }

    private void forget(String worker) {
        failures.remove(worker);
        cutOff.remove(worker);
    }
}
