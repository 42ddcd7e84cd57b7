// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.json;

import org.jspecify.annotations.Nullable;

/** What JSON allows and PostgreSQL's {@code jsonb} does not hold. */
final class Storable {

    /** What PostgreSQL's numeric holds. */
    private static final int DIGITS_BEFORE_POINT = 131_072;

    private static final int DIGITS_BEHIND_POINT = 16_383;

    private Storable() {}

    /**
     * Says whether a document can be without any text that can't be stored, by a look that costs little: the NUL character
     * comes into JSON only by an escape, half of a surrogate pair only by an escape or as itself.
     */
    static boolean allTextFits(String json) {
        if (json.contains("\\u")) {
            return false;
        }
        for (int i = 0; i < json.length(); i++) {
            if (Character.isSurrogate(json.charAt(i))) {
                return false;
            }
        }
        return true;
    }

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
        String digits = e < 0 ? number : number.substring(0, e);
        long shift = e < 0 ? 0 : exponent(number.substring(e + 1));
        int point = digits.indexOf('.');
        long before = (point < 0 ? digits.length() : point) + shift;
        long behind = (point < 0 ? 0 : digits.length() - point - 1) - shift;
        boolean fits = before <= DIGITS_BEFORE_POINT && behind <= DIGITS_BEHIND_POINT;
        return fits ? null : "a number beyond PostgreSQL's numeric";
    }

    private static boolean pairAt(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
    }

    private static long exponent(String digits) {
        if (digits.length() > 10) {
            return digits.startsWith("-") ? Integer.MIN_VALUE : Integer.MAX_VALUE;
        }
        return Long.parseLong(digits.startsWith("+") ? digits.substring(1) : digits);
    }
}
