// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kit;

import dev.fanout.spi.Appends;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.Platform;
import dev.fanout.spi.Store;
import dev.fanout.testkit.ForwardingStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;

/** A store in a process whose clock is wrong. The only clock that an engine reads is its platform's. */
public final class SkewedStore extends ForwardingStore<Connection> {

    private final Store<Connection> real;
    private final Platform platform;

    public SkewedStore(Store<Connection> real, Duration skew) {
        super(real);
        this.real = real;
        this.platform = new Skewed(real.platform(), skew.toNanos());
    }

    private record Skewed(Platform real, long nanos) implements Platform {

        @Override
        public long nanoTime() {
            return real.nanoTime() + nanos;
        }

        @Override
        public void execute(Runnable task) {
            real.execute(task);
        }

        @Override
        public void executeAll(List<Runnable> tasks, int atOnce) {
            real.executeAll(tasks, atOnce);
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return real.schedule(delay, task);
        }

        @Override
        public long random() {
            return real.random();
        }

        @Override
        public boolean shutdown(Duration timeout) {
            return real.shutdown(timeout);
        }
    }

    @Override
    public Platform platform() {
        return platform;
    }

    @Override
    public Appends<Connection> appends() {
        return real.appends();
    }

    @Override
    public Cursors<Connection> cursors() {
        return real.cursors();
    }
}
