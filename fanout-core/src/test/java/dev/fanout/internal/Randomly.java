// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Tries a property on many random inputs. A failure names its seed, and {@link #once} repeats it. */
public final class Randomly {

    private Randomly() {}

    /** Tries so many times, each with a seed of its own. */
    public static void times(int tries, Consumer<Random> property) {
        Random seeds = new Random();
        for (int i = 0; i < tries; i++) {
            once(seeds.nextLong(), property);
        }
    }

    /** Tries with one seed: what was found goes on as a named test. */
    public static void once(long seed, Consumer<Random> property) {
        try {
            property.accept(new Random(seed));
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("with seed " + seed + "L: " + failure.getMessage(), failure);
        }
    }

    /** A number from low to high, both included. */
    public static int between(Random random, int low, int high) {
        return low + random.nextInt(high - low + 1);
    }

    /** So many numbers from 0 to high, included. */
    public static List<Integer> numbers(Random random, int count, int high) {
        return IntStream.range(0, count).mapToObj(i -> random.nextInt(high + 1)).toList();
    }
}
