// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import java.time.Duration;

/** The time in which a child that failed is left alone, whatever is published meanwhile. */
record Pause(long begun, Duration length) {

    Duration left(long now) {
        return length.minusNanos(now - begun);
    }
}
