// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt to connect: at least a second between two attempts, growing while connections
 * fail or do not last, and jittered, so that the nodes of an application do not come back to a database all at once.
 */
final class Pauses {

    /** No two attempts within this time. */
    static final Duration LEAST = Duration.ofSeconds(1);

    /** Growing ends here: the poll goes on meanwhile, but what is heard is heard late. */
    static final Duration MOST = Duration.ofSeconds(8);

    private final RandomGenerator random;
    private int failures;

    Pauses(RandomGenerator random) {
        this.random = random;
    }

    /** An attempt that lasted for long enough forgives those before. */
    void ended(Duration lasted) {
        failures = lasted.compareTo(MOST) > 0 ? 0 : failures + 1;
    }

    /** From the end of the last attempt to the beginning of the next. */
    Duration next() {
        long grown = LEAST.toNanos() << Math.min(Math.max(failures - 1, 0), 3);
        long most = Math.min(grown, MOST.toNanos());
        return Duration.ofNanos(Math.max(LEAST.toNanos(), most / 2 + random.nextLong(most)));
    }
}
