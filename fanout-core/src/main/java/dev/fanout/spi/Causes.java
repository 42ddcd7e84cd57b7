// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import org.jspecify.annotations.Nullable;

/** Texts of causes, made by anybody's code: what of them can be stored. */
final class Causes {

    /** A stack trace that somebody put into a message is not worth megabytes of every listing. */
    static final int LONGEST = 4_000;

    private static final char REPLACEMENT = '\uFFFD';

    private Causes() {}

    /** Returns at most {@link #LONGEST} characters, without NUL and halves of surrogate pairs, which PostgreSQL refuses. */
    static String storable(@Nullable String text) {
        if (text == null) {
            return "";
        }
        int length = Math.min(text.length(), LONGEST);
        StringBuilder kept = new StringBuilder(length);
        int i = 0;
        while (i < length) {
            int point = text.codePointAt(i);
            boolean storable = point != 0 && !isHalf(point);
            int next = i + Character.charCount(point);
            kept.appendCodePoint(storable && next <= LONGEST ? point : REPLACEMENT);
            i = next;
        }
        return kept.toString();
    }

    private static boolean isHalf(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }
}
