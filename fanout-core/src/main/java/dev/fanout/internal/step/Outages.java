// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.step;

import dev.fanout.FanoutListener;
import dev.fanout.StoreUnavailableException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of steps that fail: each worker pauses longer and longer, and people hear of it once per change of
 * state, not once per attempt. Safe for use by many threads.
 */
public final class Outages {

    private static final Logger LOG = LoggerFactory.getLogger(Outages.class);

    private final Backoff backoff;
    private final FanoutListener listener;
    private final Map<String, Integer> failures = new HashMap<>();
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
            if (failure instanceof StoreUnavailableException && !storeDown) {
                storeDown = true;
                nowDown = true;
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
        boolean nowUp = false;
        synchronized (this) {
            if (failures.isEmpty() || failures.remove(worker) == null) {
                return;
            }
            if (storeDown) {
                storeDown = false;
                nowUp = true;
            }
        }
        if (nowUp) {
            LOG.warn("database available again");
            listener.storeAvailable();
        }
    }
}
