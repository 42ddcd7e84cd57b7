// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.append;

/** Counts bytes without making them. */
public final class Utf8 {

    private Utf8() {}

    /**
     * Returns how long a text is in UTF-8.
     *
     * @param text well-formed text
     * @return the number of bytes
     */
    public static long length(String text) {
        long bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                // a surrogate pair is two chars and four bytes: two for each half
                bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
            }
        }
        return bytes;
    }
}
