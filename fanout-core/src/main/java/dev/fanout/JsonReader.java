// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

/**
 * Reads JSON text forward, value by value, and builds nothing of what is skipped. The text has been checked when it was
 * stored; what is skipped is therefore only followed and not checked again. Text that is no JSON ends in a
 * {@link CodecException}, never in a loop.
 */
final class JsonReader {

    private static final char END = 0;

    private final String text;
    private int at;

    JsonReader(String text) {
        this.text = text;
    }

    /** The next character that is not white space, without taking it; NUL at the end. */
    char peek() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
                return c;
            }
            at++;
        }
        return END;
    }

    boolean take(char wanted) {
        if (peek() != wanted) {
            return false;
        }
        at++;
        return true;
    }

    void expect(char wanted) {
        if (!take(wanted)) {
            throw malformed("'" + wanted + "' expected");
        }
    }

    void expectEnd() {
        if (peek() != END || at < text.length()) {
            throw malformed("nothing more expected");
        }
    }

    /** Takes a string, and returns its characters. */
    String string() {
        expect('"');
        int begin = at;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                return text.substring(begin, at++);
            }
            if (c == '\\') {
                return escaped(begin);
            }
        }
        throw malformed("unclosed string");
    }

    private String escaped(int begin) {
        StringBuilder plain = new StringBuilder(text.substring(begin, at));
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return plain.toString();
            }
            plain.append(c == '\\' ? escape() : c);
        }
        throw malformed("unclosed string");
    }

    private char escape() {
        char c = at < text.length() ? text.charAt(at++) : END;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> codeUnit();
            default -> throw malformed("unknown escape");
        };
    }

    private char codeUnit() {
        int unit = 0;
        for (int i = 0; i < 4; i++, at++) {
            int digit = at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
            if (digit < 0) {
                throw malformed("four hexadecimal digits expected");
            }
            unit = unit * 16 + digit;
        }
        return (char) unit;
    }

    /** Takes a number, {@code true}, {@code false} or {@code null}, and returns it as it is written. */
    String literal() {
        char first = peek();
        int begin = at;
        while (at < text.length() && isPartOfLiteral(text.charAt(at))) {
            at++;
        }
        String literal = text.substring(begin, at);
        boolean known = (first >= '0' && first <= '9')
                || first == '-'
                || literal.equals("true")
                || literal.equals("false")
                || literal.equals("null");
        if (!known) {
            throw malformed("a value expected");
        }
        return literal;
    }

    private static boolean isPartOfLiteral(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'E';
    }

    /** Takes a value of any kind. */
    void skip() {
        int depth = 0;
        do {
            char c = peek();
            boolean closes = c == '}' || c == ']';
            boolean separates = c == ',' || c == ':';
            if (depth == 0 && (closes || separates)) {
                throw malformed("a value expected");
            }
            if (c == '"') {
                skipString();
            } else if (c == '{' || c == '[') {
                depth++;
                at++;
            } else if (closes) {
                depth--;
                at++;
            } else if (separates) {
                at++;
            } else {
                literal();
            }
        } while (depth > 0);
    }

    private void skipString() {
        at++;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return;
            }
            if (c == '\\') {
                at++;
            }
        }
        throw malformed("unclosed string");
    }

    CodecException malformed(String why) {
        return new CodecException("it is not JSON: " + why + " at character " + at, null);
    }
}
