// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.engine;

import dev.fanout.FanoutListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A listener that remembers. */
final class Heard implements FanoutListener {

    final List<String> news = new CopyOnWriteArrayList<>();
    final List<WakeSource> sources = new CopyOnWriteArrayList<>();

    @Override
    public void published(int lane, int events, WakeSource source) {
        sources.add(source);
    }

    @Override
    public void failed(String child, int partition, int attempts, @Nullable Throwable cause, Duration pause) {
        news.add("failed " + child + " " + attempts);
    }

    @Override
    public void lost(String child, int partition, long records) {
        news.add("lost " + child + " " + records);
    }

    @Override
    public void leaseTaken(String resource, long token) {
        news.add("taken " + resource);
    }

    @Override
    public void leaseReleased(String resource) {
        news.add("released " + resource);
    }

    @Override
    public void leaseLost(String resource) {
        news.add("leaseLost " + resource);
    }

    @Override
    public void fenced(String resource) {
        news.add("fenced " + resource);
    }
}
