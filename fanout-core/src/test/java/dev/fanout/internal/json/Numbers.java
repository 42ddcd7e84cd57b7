// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.json;

import java.util.Random;

/** Numbers as JSON allows them, many of them odd. */
final class Numbers {

    private Numbers() {}

    /** A number of up to some hundred digits, mostly with an exponent. */
    static String random(Random random) {
        StringBuilder number = new StringBuilder(random.nextBoolean() ? "-" : "");
        number.append(random.nextInt(3) == 0 ? "0" : 1 + random.nextInt(9) + digits(random, random.nextInt(20)));
        if (random.nextBoolean()) {
            number.append('.').append(digits(random, 1 + random.nextInt(20)));
        }
        if (random.nextInt(4) > 0) {
            number.append(random.nextBoolean() ? 'e' : 'E')
                    .append(random.nextInt(3) == 0 ? "+" : random.nextBoolean() ? "-" : "")
                    .append(random.nextInt(300));
        }
        return number.toString();
    }

    private static String digits(Random random, int count) {
        return random.ints(count, 0, 10)
                .collect(StringBuilder::new, StringBuilder::append, StringBuilder::append)
                .toString();
    }
}
