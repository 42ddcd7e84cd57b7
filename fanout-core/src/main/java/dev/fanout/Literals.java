// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** JSON values without members as text, in one form for each value: equal values have equal text. */
final class Literals {

    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");

    /** Up to here a number is written without an exponent. */
    private static final int PLAIN = 18;

    private Literals() {}

    /**
     * Writes a value that an application gave.
     *
     * @param value text, a number, a boolean, or null
     * @return the JSON text
     * @throws IllegalArgumentException if it is anything else
     */
    static String of(@Nullable Object value) {
        if (value == null || value instanceof Boolean) {
            return String.valueOf(value);
        }
        if (value instanceof CharSequence || value instanceof Character) {
            return quoted(value.toString());
        }
        if (isNumber(value) && NUMBER.matcher(value.toString()).matches()) {
            return number(value.toString());
        }
        throw new IllegalArgumentException("a filter can't compare with " + value + " ("
                + value.getClass().getName() + "): use text, a finite number, a boolean, or null");
    }

    private static boolean isNumber(Object value) {
        return value instanceof Integer
                || value instanceof Long
                || value instanceof Short
                || value instanceof Byte
                || value instanceof Double
                || value instanceof Float
                || value instanceof BigInteger
                || value instanceof BigDecimal;
    }

    /**
     * Brings the JSON text of a value into the one form that it has here.
     *
     * @param json one JSON value that is neither object nor array
     * @return the form
     * @throws IllegalArgumentException if it is anything else
     */
    static String canonical(String json) {
        try {
            JsonReader reader = new JsonReader(json);
            String form = read(reader);
            reader.expectEnd();
            return form;
        } catch (CodecException malformed) {
            throw new IllegalArgumentException(
                    "'" + json + "' is neither JSON text nor a number, boolean or null", malformed);
        }
    }

    /** Takes a value from a filter's text. */
    static String read(JsonReader reader) {
        if (reader.peek() == '"') {
            return quoted(reader.string());
        }
        String literal = reader.literal();
        if (Character.isLetter(literal.charAt(0))) {
            return literal;
        }
        if (!NUMBER.matcher(literal).matches()) {
            throw reader.malformed("a number expected");
        }
        return number(literal);
    }

    /** Writes text as JSON. */
    static String quoted(String text) {
        StringBuilder json = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0 || (Character.isSurrogate(c) && !isPaired(text, i))) {
                throw new IllegalArgumentException(
                        "a filter can't compare with text that holds the NUL character or half"
                                + " of a surrogate pair: PostgreSQL stores neither");
            }
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append("\\u00").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }

    private static boolean isPaired(String text, int at) {
        return Character.isHighSurrogate(text.charAt(at))
                ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }

    /** Writes a number by its value: no zeros that don't count, an exponent only where it is long. Linear in its length. */
    static String number(String json) {
        boolean negative = json.startsWith("-");
        int e = Math.max(json.indexOf('e'), json.indexOf('E'));
        String mantissa = json.substring(negative ? 1 : 0, e < 0 ? json.length() : e);
        int point = mantissa.indexOf('.');
        String digits = point < 0 ? mantissa : mantissa.substring(0, point) + mantissa.substring(point + 1);
        int begin = 0;
        while (begin < digits.length() && digits.charAt(begin) == '0') {
            begin++;
        }
        if (begin == digits.length()) {
            return "0";
        }
        int end = digits.length();
        while (digits.charAt(end - 1) == '0') {
            end--;
        }
        long exponent = (e < 0 ? 0 : exponent(json.substring(e + 1)))
                - (point < 0 ? 0 : mantissa.length() - point - 1)
                + (digits.length() - end);
        return (negative ? "-" : "") + written(digits.substring(begin, end), exponent);
    }

    private static String written(String digits, long exponent) {
        if (exponent >= 0 && exponent <= PLAIN) {
            return digits + "0".repeat((int) exponent);
        }
        if (exponent < 0 && exponent >= -PLAIN) {
            int before = digits.length() + (int) exponent;
            return before > 0
                    ? digits.substring(0, before) + "." + digits.substring(before)
                    : "0." + "0".repeat(-before) + digits;
        }
        return digits + "e" + exponent;
    }

    private static long exponent(String digits) {
        try {
            return new BigInteger(digits).longValueExact();
        } catch (ArithmeticException | NumberFormatException absurd) {
            throw new CodecException("it is not JSON: no number has the exponent " + digits, absurd);
        }
    }
}
