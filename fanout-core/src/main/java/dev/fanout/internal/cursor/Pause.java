// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import java.time.Duration;

/** A time in which nothing is worth while, whatever is published meanwhile. */
record Pause(long begun, Duration length) {

    Duration left(long now) {
        Duration left = length.minusNanos(now - begun);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
