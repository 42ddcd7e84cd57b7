// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.retention;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether the database's clock can be believed: it must advance as this node's monotonic clock does.
 *
 * <p>The first reading proves nothing. A reading that differs by more than the tolerance from what the one before and the
 * monotonic clock foretell is a jump, in whichever direction; after one, the clock is believed again when it has run evenly for
 * {@link #TRUST}, long enough for whoever sets clocks to set it back.
 */
final class SteadyClock {

    static final Duration TOLERANCE = Duration.ofMinutes(1);
    static final Duration TRUST = Duration.ofHours(1);

    private @Nullable Instant last;
    private long lastNanos;
    private long jumpedAt;
    private boolean jumped;

    /** What a reading tells. */
    enum Verdict {
        /** There is nothing to compare it with. */
        FIRST,
        /** It fits. */
        STEADY,
        /** It does not fit the one before. */
        JUMPED,
        /** It fits, but one a while ago did not. */
        DOUBTED
    }

    /**
     * Takes in a reading.
     *
     * @param now what the database's clock said
     * @param nanos the monotonic clock just before
     * @return what it tells
     */
    Verdict saw(Instant now, long nanos) {
        Instant before = last;
        long passed = nanos - lastNanos;
        last = now;
        lastNanos = nanos;
        if (before == null) {
            return Verdict.FIRST;
        }
        Duration off = Duration.between(before, now).minusNanos(passed).abs();
        if (off.compareTo(TOLERANCE) > 0) {
            jumped = true;
            jumpedAt = nanos;
            return Verdict.JUMPED;
        }
        if (jumped && nanos - jumpedAt < TRUST.toNanos()) {
            return Verdict.DOUBTED;
        }
        jumped = false;
        return Verdict.STEADY;
    }
}
