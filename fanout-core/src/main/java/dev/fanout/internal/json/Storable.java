// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.json;

import org.jspecify.annotations.Nullable;

/** What JSON allows and PostgreSQL's {@code jsonb} does not hold. */
final class Storable {

    /** PostgreSQL's numeric holds up to 131072 digits before the point and 16383 behind it. */
    private static final int MAX_EXPONENT = 16_000;

    private Storable() {}

    /** Returns why the text can't be stored, or null if it can. */
    static @Nullable String refusalOfText(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                return "the NUL character (\\u0000), which PostgreSQL does not store";
            }
            if (Character.isSurrogate(c)) {
                if (!pairAt(text, i)) {
                    return "half of a surrogate pair, which PostgreSQL does not store";
                }
                i++;
            }
        }
        return null;
    }

    /** Returns why the number, as written, can't be stored, or null if it can. */
    static @Nullable String refusalOfNumber(String number) {
        int e = Math.max(number.indexOf('e'), number.indexOf('E'));
        boolean tooLong = number.length() > MAX_EXPONENT;
        boolean tooLarge = e >= 0 && Math.abs(exponent(number.substring(e + 1))) > MAX_EXPONENT;
        return tooLong || tooLarge ? "a number beyond PostgreSQL's numeric" : null;
    }

    private static boolean pairAt(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
    }

    private static long exponent(String digits) {
        return digits.length() > 10
                ? Long.MAX_VALUE
                : Long.parseLong(digits.startsWith("+") ? digits.substring(1) : digits);
    }
}
