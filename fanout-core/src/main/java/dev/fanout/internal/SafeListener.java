// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.Event;
import dev.fanout.FanoutListener;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what a listener throws away from the engine. */
record SafeListener(FanoutListener delegate) implements FanoutListener {

    private static final Logger LOG = LoggerFactory.getLogger(SafeListener.class);

    private void tell(Consumer<FanoutListener> news) {
        try {
            news.accept(delegate);
        } catch (Throwable failure) {
            // a listener in another language, or one whose library is missing, throws more than its signature says
            LOG.warn("listener={} failed", delegate.getClass().getName(), failure);
        }
    }

    @Override
    public void published(int lane, int events, WakeSource source) {
        tell(l -> l.published(lane, events, source));
    }

    @Override
    public void delivered(String child, int partition, long applied, long gated, long skipped, long filtered) {
        tell(l -> l.delivered(child, partition, applied, gated, skipped, filtered));
    }

    @Override
    public void failed(String child, int partition, int attempts, @Nullable Throwable cause, Duration pause) {
        tell(l -> l.failed(child, partition, attempts, cause, pause));
    }

    @Override
    public void parked(String child, int partition, Event event, String cause) {
        tell(l -> l.parked(child, partition, event, cause));
    }

    @Override
    public void lag(String child, int partition, long records) {
        tell(l -> l.lag(child, partition, records));
    }

    @Override
    public void lost(String child, int partition, long records) {
        tell(l -> l.lost(child, partition, records));
    }

    @Override
    public void leaseTaken(String resource, long token) {
        tell(l -> l.leaseTaken(resource, token));
    }

    @Override
    public void leaseReleased(String resource) {
        tell(l -> l.leaseReleased(resource));
    }

    @Override
    public void leaseLost(String resource) {
        tell(l -> l.leaseLost(resource));
    }

    @Override
    public void fenced(String resource) {
        tell(l -> l.fenced(resource));
    }

    @Override
    public void reloaded(String resource) {
        tell(l -> l.reloaded(resource));
    }

    @Override
    public void storeUnavailable(Throwable cause) {
        tell(l -> l.storeUnavailable(cause));
    }

    @Override
    public void storeAvailable() {
        tell(FanoutListener::storeAvailable);
    }
}
