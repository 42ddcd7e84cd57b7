// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.step;

import dev.fanout.spi.Platform;
import java.time.Duration;

/** Pauses that double from the first to the longest, each shortened by up to a half at random, so that nodes spread. */
public final class Backoff {

    private final Platform platform;
    private final Duration first;
    private final Duration longest;

    /**
     * Makes a back-off.
     *
     * @param platform where the randomness comes from
     * @param first the first pause
     * @param longest the longest pause
     */
    public Backoff(Platform platform, Duration first, Duration longest) {
        this.platform = platform;
        this.first = first;
        this.longest = longest;
    }

    /**
     * Returns the pause after so many failures in a row.
     *
     * @param failures at least 1
     * @return how long to wait
     */
    public Duration pause(int failures) {
        int doublings = Math.min(failures - 1, 20);
        long full = first.toNanos() < longest.toNanos() >> doublings ? first.toNanos() << doublings : longest.toNanos();
        long half = Math.max(1, full / 2);
        return Duration.ofNanos(full - Math.floorMod(platform.random(), half));
    }
}
