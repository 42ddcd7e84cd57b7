// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Headers as they are stored: a JSON object of strings. Written and read here and not by the application's codec, whose
 * settings are made for payloads and may change.
 */
final class Headers {

    private final String json;
    private int at;

    private Headers(String json) {
        this.json = json;
    }

    /** Returns the JSON of headers, or null of none. */
    static @Nullable String encode(Map<String, String> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        StringBuilder json = new StringBuilder("{");
        headers.forEach((name, value) -> {
            json.append(json.length() == 1 ? "" : ", ");
            quote(json, name);
            json.append(": ");
            quote(json, value);
        });
        return json.append('}').toString();
    }

    private static void quote(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }

    /** Returns the headers in JSON that {@link #encode} wrote and PostgreSQL printed, none of null. */
    static Map<String, String> decode(@Nullable String json) {
        return json == null ? Map.of() : new Headers(json).object();
    }

    private Map<String, String> object() {
        Map<String, String> headers = new HashMap<>();
        at = json.indexOf('"');
        while (at >= 0) {
            String name = string();
            at = json.indexOf('"', at);
            headers.put(name, string());
            at = json.indexOf('"', at);
        }
        return headers;
    }

    /** Reads the string whose opening quote is at hand, and stops behind its closing one. */
    private String string() {
        StringBuilder text = new StringBuilder();
        for (at++; json.charAt(at) != '"'; at++) {
            text.append(json.charAt(at) == '\\' ? escaped() : json.charAt(at));
        }
        at++;
        return text.toString();
    }

    private char escaped() {
        char c = json.charAt(++at);
        return switch (c) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> c;
        };
    }

    private char unicode() {
        char c = (char) Integer.parseInt(json.substring(at + 1, at + 5), 16);
        at += 4;
        return c;
    }
}
