// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.json;

import dev.fanout.CodecException;
import org.jspecify.annotations.Nullable;

/** What JSON allows and PostgreSQL's {@code jsonb} does not hold, or not so. */
public final class Storable {

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

    /**
     * Lays a document out as PostgreSQL will print it, so that its length is known before it is sent: a number with an
     * exponent is a few bytes on the way in, and up to 131,072 digits on every way out. What PostgreSQL leaves out
     * (repeated members, escapes that need not be) may still be there; it is never shorter than what will be read.
     *
     * @param json one JSON document that a codec has checked
     * @param limit at how many characters to give up
     * @return the document; only its beginning, but longer than the limit, where it would exceed that
     * @throws CodecException if it holds a number beyond PostgreSQL's {@code numeric}
     */
    public static String asPrinted(String json, int limit) {
        StringBuilder out = new StringBuilder(json.length() + json.length() / 8 + 8);
        int at = 0;
        while (at < json.length() && out.length() <= limit) {
            at = token(json, at, out);
        }
        return out.toString();
    }

    private static int token(String json, int at, StringBuilder out) {
        char c = json.charAt(at);
        switch (c) {
            case ' ', '\t', '\n', '\r' -> {
                keepApart(out, json, at + 1);
            }
            case ',', ':' -> out.append(c).append(' ');
            case '"' -> {
                int end = endOfString(json, at);
                out.append(json, at, end);
                return end;
            }
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> {
                int end = endOfNumber(json, at);
                number(json, at, end, out);
                return end;
            }
            default -> out.append(c);
        }
        return at + 1;
    }

    /** White space between two values is no JSON; dropped, it would make one value of them that a lax codec let pass. */
    private static void keepApart(StringBuilder out, String json, int next) {
        boolean behindValue = !out.isEmpty() && "[{ ".indexOf(out.charAt(out.length() - 1)) < 0;
        if (behindValue && next < json.length() && " \t\n\r,:]}".indexOf(json.charAt(next)) < 0) {
            out.append(' ');
        }
    }

    private static int endOfString(String json, int quote) {
        int at = quote + 1;
        while (at < json.length() && json.charAt(at) != '"') {
            at += json.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, json.length());
    }

    private static int endOfNumber(String json, int begin) {
        int at = begin + 1;
        while (at < json.length() && "0123456789.eE+-".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }

    private static void number(String json, int begin, int end, StringBuilder out) {
        for (int i = begin; i < end; i++) {
            if ((json.charAt(i) | 0x20) == 'e') {
                Decimal number = Decimal.of(json.substring(begin, end));
                String refusal = number.refusal();
                if (refusal != null) {
                    throw new CodecException("it holds " + refusal, null);
                }
                number.print(out);
                return;
            }
        }
        out.append(json, begin, end);
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

    /**
     * Returns why the number, as written, can't be stored and read back, or null if it can.
     *
     * @param text the number
     * @param readable how many digits the reader takes
     */
    static @Nullable String refusalOfNumber(String text, int readable) {
        Decimal number = Decimal.of(text);
        String refusal = number.refusal();
        if (refusal == null && number.printedDigits() > readable) {
            return "a number that is stored with " + number.printedDigits() + " digits, of which " + readable
                    + " can be read back (StreamReadConstraints.maxNumberLength)";
        }
        return refusal;
    }

    private static boolean pairAt(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
    }

    /**
     * A number as written.
     *
     * @param negative whether there is a minus
     * @param digits the digits before the exponent, without the point
     * @param before how many of them, or of zeros to be added, are before the point when there is no exponent any more
     */
    private record Decimal(boolean negative, String digits, long before) {

        static Decimal of(String text) {
            boolean negative = text.startsWith("-");
            int e = Math.max(text.indexOf('e'), text.indexOf('E'));
            String mantissa = text.substring(negative ? 1 : 0, e < 0 ? text.length() : e);
            long shift = e < 0 ? 0 : exponent(text.substring(e + 1));
            int point = mantissa.indexOf('.');
            return point < 0
                    ? new Decimal(negative, mantissa, mantissa.length() + shift)
                    : new Decimal(
                            negative, mantissa.substring(0, point) + mantissa.substring(point + 1), point + shift);
        }

        @Nullable
        String refusal() {
            boolean fits = before <= DIGITS_BEFORE_POINT && behind() <= DIGITS_BEHIND_POINT;
            return fits ? null : "a number beyond PostgreSQL's numeric";
        }

        /** With the one zero that is printed before the point of a fraction. */
        long printedDigits() {
            return Math.max(before, 1) + behind();
        }

        void print(StringBuilder out) {
            int whole = Math.toIntExact(Math.max(before, 0));
            int given = Math.min(whole, digits.length());
            out.append(negative ? "-" : "");
            int begin = out.length();
            out.append(digits, significant(given), given);
            if (out.length() > begin) {
                out.append("0".repeat(whole - given));
            } else {
                out.append('0');
            }
            if (behind() > 0) {
                out.append('.')
                        .append("0".repeat(Math.toIntExact(Math.max(-before, 0))))
                        .append(digits, given, digits.length());
            }
        }

        private int significant(int end) {
            int at = 0;
            while (at < end && digits.charAt(at) == '0') {
                at++;
            }
            return at;
        }

        private long behind() {
            return Math.max(digits.length() - before, 0);
        }

        private static long exponent(String digits) {
            if (digits.length() > 10) {
                return digits.startsWith("-") ? Integer.MIN_VALUE : Integer.MAX_VALUE;
            }
            return Long.parseLong(digits.startsWith("+") ? digits.substring(1) : digits);
        }
    }
}
