// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import org.jspecify.annotations.Nullable;

/** The one rule for names that end up in rows, in lease resources and in metrics. */
final class Names {

    static final int MAX_NAME = 127;

    private Names() {}

    static String check(String what, @Nullable String name) {
        if (name == null || !valid(name)) {
            throw new IllegalArgumentException("invalid " + what + " " + quoted(name)
                    + ": use 1 to 127 letters, digits, '.', '_', ':' or '-', and start with a letter or a digit");
        }
        return name;
    }

    /** By hand and not by a regular expression, since every append checks three names. */
    private static boolean valid(String name) {
        int length = name.length();
        if (length == 0 || length > MAX_NAME || !letterOrDigit(name.charAt(0))) {
            return false;
        }
        for (int i = 1; i < length; i++) {
            char c = name.charAt(i);
            if (!letterOrDigit(c) && c != '.' && c != '_' && c != ':' && c != '-') {
                return false;
            }
        }
        return true;
    }

    private static boolean letterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    static String checkText(String what, @Nullable String text, int max) {
        if (text == null || text.isEmpty() || text.length() > max) {
            throw new IllegalArgumentException(
                    "invalid " + what + " " + quoted(text) + ": use 1 to " + max + " characters");
        }
        if (!storable(text)) {
            throw new IllegalArgumentException("invalid " + what + " " + quoted(text)
                    + ": PostgreSQL stores neither the NUL character nor half of a surrogate pair; remove it");
        }
        return text;
    }

    /** Whether PostgreSQL can hold the text: no NUL, and every surrogate in its pair. */
    static boolean storable(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                return false;
            }
            if (Character.isSurrogate(c)) {
                boolean pair = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    private static String quoted(@Nullable String text) {
        if (text == null) {
            return "null";
        }
        String shown = text.length() > 80 ? text.substring(0, 80) + "…" : text;
        return "'" + shown.replace('\0', '?') + "'";
    }
}
