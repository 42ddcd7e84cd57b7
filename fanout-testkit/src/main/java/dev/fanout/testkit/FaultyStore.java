// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import dev.fanout.spi.Appends;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.Frontier;
import dev.fanout.spi.Outbox;
import dev.fanout.spi.Store;
import dev.fanout.spi.Wakes;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;

/**
 * A store with handles for faults around a real one: loses notifications, and stops the relay between two statements.
 * Safe for use by many threads.
 *
 * @param <T> the transaction handle of the store
 */
public final class FaultyStore<T> extends ForwardingStore<T> {

    private final Store<T> store;
    private final Outbox outbox = new StoppableOutbox();
    private final Wakes wakes = new LossyWakes();
    private volatile boolean losing;
    private volatile Stop stop = Stop.open();

    /** One stop of the relay. */
    private record Stop(CountDownLatch reached, CountDownLatch release) {

        static Stop open() {
            return new Stop(new CountDownLatch(0), new CountDownLatch(0));
        }
    }

    private FaultyStore(Store<T> store) {
        super(store);
        this.store = store;
    }

    /**
     * Wraps a store.
     *
     * @param <T> the transaction handle of the store
     * @param store the real store; closed with this one
     * @return a store without faults so far
     */
    public static <T> FaultyStore<T> around(Store<T> store) {
        return new FaultyStore<>(store);
    }

    /** Loses every notification from now on, of appends and of publications. */
    public void loseNotifications() {
        losing = true;
    }

    /** Delivers notifications again; those that were lost stay lost. */
    public void deliverNotifications() {
        losing = false;
    }

    /**
     * Stops the relay when it comes to its next look at the outbox, after whatever it has published before.
     *
     * @return completes when the relay stands still
     */
    public CountDownLatch stopRelay() {
        Stop next = new Stop(new CountDownLatch(1), new CountDownLatch(1));
        stop = next;
        return next.reached();
    }

    /** Lets the relay go on. */
    public void releaseRelay() {
        stop.release().countDown();
    }

    @Override
    public Appends<T> appends() {
        return store.appends();
    }

    @Override
    public Outbox outbox() {
        return outbox;
    }

    @Override
    public Cursors<T> cursors() {
        return store.cursors();
    }

    @Override
    public Wakes wakes() {
        return wakes;
    }

    @Override
    public void close() {
        releaseRelay();
        store.close();
    }

    /** The outbox, with a place to stop at before each look. */
    private final class StoppableOutbox implements Outbox {

        @Override
        public Publication publish(Request request) {
            Stop here = stop;
            here.reached().countDown();
            try {
                here.release().await();
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
            }
            return store.outbox().publish(request);
        }

        @Override
        public Frontier frontier(int lane) {
            return store.outbox().frontier(lane);
        }

        @Override
        public long waiting(int lane) {
            return store.outbox().waiting(lane);
        }
    }

    /** The wakes, but for those that are lost. */
    private final class LossyWakes implements Wakes {

        @Override
        public void listen(Hearer hearer) {
            store.wakes().listen(new Lossy(hearer));
        }

        @Override
        public void stop() {
            store.wakes().stop();
        }

        @Override
        public boolean hold(int lane) {
            return store.wakes().hold(lane);
        }

        @Override
        public OptionalLong letGo(int lane) {
            return store.wakes().letGo(lane);
        }
    }

    /** Hears only what is not lost. */
    private final class Lossy implements Wakes.Hearer {

        private final Wakes.Hearer hearer;

        Lossy(Wakes.Hearer hearer) {
            this.hearer = hearer;
        }

        @Override
        public void appended(int lane) {
            if (!losing) {
                hearer.appended(lane);
            }
        }

        @Override
        public void published() {
            if (!losing) {
                hearer.published();
            }
        }

        @Override
        public void released() {
            hearer.released();
        }

        @Override
        public void asked() {
            if (!losing) {
                hearer.asked();
            }
        }

        @Override
        public void connected() {
            hearer.connected();
        }

        @Override
        public void disconnected() {
            hearer.disconnected();
        }
    }
}
