// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests;

import static org.awaitility.Awaitility.await;

import dev.fanout.spi.Wakes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what a listener was told. */
final class Heard implements Wakes.Hearer {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final AtomicInteger appended = new AtomicInteger();
    private final AtomicInteger published = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();
    private final List<Long> connected = new CopyOnWriteArrayList<>();

    @Override
    public void appended(int lane) {
        appended.incrementAndGet();
    }

    @Override
    public void published() {
        published.incrementAndGet();
    }

    @Override
    public void released() {
        released.incrementAndGet();
    }

    @Override
    public void connected() {
        connected.add(System.nanoTime());
    }

    int appended() {
        return appended.get();
    }

    /** When it was connected, each time. */
    List<Long> connections() {
        return connected;
    }

    void awaitAppended(int times) {
        await().atMost(PATIENCE).until(() -> appended.get() >= times);
    }

    void awaitPublished(int times) {
        await().atMost(PATIENCE).until(() -> published.get() >= times);
    }

    void awaitReleased(int times) {
        await().atMost(PATIENCE).until(() -> released.get() >= times);
    }

    void awaitConnected(int times) {
        await().atMost(PATIENCE).until(() -> connected.size() >= times);
    }
}
