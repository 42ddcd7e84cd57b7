// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import dev.fanout.Filter.Condition;
import dev.fanout.Filter.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A filter as a JSON object. Members come in any order, since {@code jsonb} has an order of its own; one that is not known
 * is refused, since a condition that is overlooked lets too much through.
 *
 * @param types the patterns of types; empty for any
 * @param conditions what has to hold of the payload
 */
record FilterText(List<String> types, List<Condition> conditions) {

    /**
     * Writes a filter.
     *
     * @param types the patterns of types; empty for any
     * @param conditions what has to hold of the payload
     * @return the JSON text
     */
    static String write(List<String> types, List<Condition> conditions) {
        List<String> members = new ArrayList<>();
        if (!types.isEmpty()) {
            members.add("\"type\": " + list(types.stream().map(Literals::quoted).toList()));
        }
        if (!conditions.isEmpty()) {
            members.add("\"where\": "
                    + list(conditions.stream().map(FilterText::write).toList()));
        }
        return "{" + String.join(", ", members) + "}";
    }

    private static String write(Condition condition) {
        String value = switch (condition.operator()) {
            case EQUALS -> condition.values().get(0);
            case IN -> list(condition.values());
            case EXISTS -> "true";
        };
        String operator = condition.operator().name().toLowerCase(Locale.ROOT);
        return "{\"path\": " + Literals.quoted(condition.path()) + ", \"" + operator + "\": " + value + "}";
    }

    private static String list(List<String> values) {
        return "[" + String.join(", ", values) + "]";
    }

    /**
     * Reads a filter.
     *
     * @param json the JSON text
     * @return what it says
     * @throws IllegalArgumentException if it is malformed
     */
    static FilterText parse(String json) {
        try {
            return new Parser(new JsonReader(json)).filter();
        } catch (CodecException malformed) {
            throw new IllegalArgumentException("not a filter: " + json + ": " + malformed.getMessage(), malformed);
        }
    }

    private record Parser(JsonReader json) {

        FilterText filter() {
            List<String> types = new ArrayList<>();
            List<Condition> conditions = new ArrayList<>();
            members(name -> {
                switch (name) {
                    case "type" -> {
                        elements(() -> types.add(json.string()));
                        if (types.isEmpty()) {
                            throw json.malformed("a type expected; leave 'type' out for any");
                        }
                    }
                    case "where" -> elements(() -> conditions.add(condition()));
                    default -> throw json.malformed("'type' or 'where' expected, not '" + name + "'");
                }
            });
            json.expectEnd();
            return new FilterText(types, conditions);
        }

        private Condition condition() {
            Parts parts = new Parts();
            members(name -> {
                switch (name) {
                    case "path" -> parts.path = json.string();
                    case "equals" -> parts.compares(this, Operator.EQUALS).add(Literals.read(json));
                    case "in" -> {
                        List<String> values = parts.compares(this, Operator.IN);
                        elements(() -> values.add(Literals.read(json)));
                    }
                    case "exists" -> {
                        parts.compares(this, Operator.EXISTS);
                        if (!json.literal().equals("true")) {
                            throw json.malformed("'true' expected after 'exists'");
                        }
                    }
                    default -> throw json.malformed("'path', 'equals', 'in' or 'exists' expected, not '" + name + "'");
                }
            });
            if (parts.path == null || parts.operator == null) {
                throw json.malformed("a condition needs 'path' and one of 'equals', 'in' and 'exists'");
            }
            return new Condition(parts.path, parts.operator, parts.values);
        }

        private void members(Member each) {
            json.expect('{');
            if (json.take('}')) {
                return;
            }
            do {
                String name = json.string();
                json.expect(':');
                each.read(name);
            } while (json.take(','));
            json.expect('}');
        }

        private void elements(Runnable each) {
            json.expect('[');
            if (json.take(']')) {
                return;
            }
            do {
                each.run();
            } while (json.take(','));
            json.expect(']');
        }
    }

    @FunctionalInterface
    private interface Member {
        void read(String name);
    }

    private static final class Parts {
        private final List<String> values = new ArrayList<>();
        private @Nullable String path;
        private @Nullable Operator operator;

        List<String> compares(Parser parser, Operator how) {
            if (operator != null) {
                throw parser.json.malformed("a condition has one of 'equals', 'in' and 'exists', not two");
            }
            operator = how;
            return values;
        }
    }
}
