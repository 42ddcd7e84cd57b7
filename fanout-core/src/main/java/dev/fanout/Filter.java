// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says which events are wanted, in words that can be stored and shown: by type, and by what stands in the payload.
 * Immutable.
 *
 * <pre>{@code
 * Filter.type("asset.*").where("payload.kind").in("class", "record")
 * }</pre>
 *
 * <p>An event passes if its type is one of those named and every condition holds. Types are exact ({@code asset.renamed})
 * or a prefix that ends in {@code .*} ({@code asset.*} is all that begins with {@code asset.}, and not {@code asset}).
 * The payload is read once for all conditions, and not at all if the type decides.
 *
 * <p>A path steps through the members of JSON objects: {@code payload.owner.name}. What stands there is compared as
 * JSON values of the same kind: text by its characters (upper and lower case differ), numbers by value ({@code 1} equals
 * {@code 1.0} and {@code 10e-1}), {@code true}, {@code false} and {@code null} with themselves; text never equals a
 * number. An object or an array equals nothing and is never looked into, but it exists, as the value {@code null} does.
 * Where a path leads nowhere no condition holds, so the usual tombstone, whose payload is {@code null}, passes none: a
 * child that has to hear of deletions and filters by payload needs tombstones with the members that it filters by
 * ({@link Append#deleted(String, Object)}).
 */
public final class Filter {

    private static final int MAX_TYPES = 256;
    private static final int MAX_CONDITIONS = 64;
    private static final int MAX_VALUES = 1024;
    private static final String ANY_SUFFIX = ".*";
    private static final Pattern PATH =
            Pattern.compile("payload(\\.[^\\s\\p{Cntrl}.,:*\"'\\\\\\[\\]{}()]{1,127}){1,16}");

    private final Set<String> types;
    private final Set<String> prefixes;
    private final List<Condition> conditions;
    private final PayloadConditions payload;

    /** How a condition compares. */
    public enum Operator {
        /** What stands at the path is this value. */
        EQUALS,
        /** What stands at the path is one of these values. */
        IN,
        /** Something stands at the path, be it {@code null}. */
        EXISTS
    }

    /**
     * What has to hold of the payload.
     *
     * @param path the way from {@code payload} through members of objects
     * @param operator how it compares
     * @param values the values as JSON text, sorted: one for {@link Operator#EQUALS}, some for {@link Operator#IN}, none
     *     for {@link Operator#EXISTS}. Numbers are written in one form each, so that equal values have equal text
     */
    public record Condition(String path, Operator operator, List<String> values) {

        /**
         * Checks path and values, and puts the values in order.
         *
         * @throws IllegalArgumentException if the path or a value is malformed, or there are too many or too few
         */
        public Condition {
            if (!PATH.matcher(path).matches()) {
                throw new IllegalArgumentException("invalid path '" + path + "': write payload.<member> or"
                        + " payload.<member>.<member>, up to 16 members of objects, each without white space, quotes,"
                        + " brackets and any of . , : *");
            }
            values = List.copyOf(
                    new TreeSet<>(values.stream().map(Literals::canonical).toList()));
            if (operator == Operator.IN && values.size() == 1) {
                operator = Operator.EQUALS;
            }
            checkNumber(path, operator, values.size());
        }

        private static void checkNumber(String path, Operator operator, int values) {
            boolean fits = switch (operator) {
                case EQUALS -> values == 1;
                case IN -> values > 0 && values <= MAX_VALUES;
                case EXISTS -> values == 0;
            };
            if (!fits) {
                throw new IllegalArgumentException("condition on " + path + " has " + values + " values; "
                        + (operator == Operator.EXISTS
                                ? "exists takes none"
                                : operator == Operator.EQUALS ? "equals takes one" : "in takes 1 to " + MAX_VALUES));
            }
        }

        /** Returns the condition in words. */
        @Override
        public String toString() {
            return switch (operator) {
                case EQUALS -> path + " = " + values.get(0);
                case IN -> path + " in (" + String.join(", ", values) + ")";
                case EXISTS -> path + " exists";
            };
        }
    }

    private Filter(Collection<String> types, Collection<String> prefixes, List<Condition> conditions) {
        this.types = sorted(types);
        this.prefixes = sorted(prefixes);
        this.conditions = List.copyOf(conditions);
        if (types.size() + prefixes.size() > MAX_TYPES) {
            throw new IllegalArgumentException("filter names " + (types.size() + prefixes.size()) + " types; at most "
                    + MAX_TYPES + " are allowed: use a prefix such as 'asset.*'");
        }
        if (conditions.size() > MAX_CONDITIONS) {
            throw new IllegalArgumentException(
                    "filter has " + conditions.size() + " conditions; at most " + MAX_CONDITIONS + " are allowed");
        }
        this.payload = PayloadConditions.of(this.conditions);
    }

    private static Set<String> sorted(Collection<String> texts) {
        return Collections.unmodifiableSet(new TreeSet<>(texts));
    }

    /**
     * Wants events of any of some types.
     *
     * @param pattern a type, or a prefix that ends in {@code .*}
     * @param more further ones
     * @return the filter
     * @throws IllegalArgumentException if a pattern is malformed
     */
    public static Filter type(String pattern, String... more) {
        return ofTypes(Stream.concat(Stream.of(pattern), Stream.of(more)).toList(), List.of());
    }

    /**
     * Wants events of every type: for a filter by payload alone.
     *
     * @return the filter
     */
    public static Filter anyType() {
        return new Filter(List.of(), List.of(), List.of());
    }

    /**
     * Reads a filter from the text that {@link #json()} wrote.
     *
     * @param json the text
     * @return an equal filter
     * @throws IllegalArgumentException if the text is malformed, saying why
     */
    public static Filter parse(String json) {
        FilterText text = FilterText.parse(json);
        List<Condition> conditions = text.conditions();
        return text.types().isEmpty()
                ? new Filter(List.of(), List.of(), conditions)
                : ofTypes(text.types(), conditions);
    }

    private static Filter ofTypes(List<String> patterns, List<Condition> conditions) {
        List<String> types = new ArrayList<>();
        List<String> prefixes = new ArrayList<>();
        for (String pattern : patterns) {
            Objects.requireNonNull(pattern, "type");
            boolean prefix = pattern.endsWith(ANY_SUFFIX);
            String name = prefix ? pattern.substring(0, pattern.length() - ANY_SUFFIX.length()) : pattern;
            try {
                Names.check("event type", name);
            } catch (IllegalArgumentException malformed) {
                throw new IllegalArgumentException("invalid type pattern '" + pattern
                        + "': write a type such as 'asset.renamed', a prefix such as 'asset.*', or use anyType() ("
                        + malformed.getMessage() + ")");
            }
            (prefix ? prefixes : types).add(prefix ? name + "." : name);
        }
        return new Filter(types, prefixes, conditions);
    }

    /**
     * Begins a condition on the payload, which has to hold besides those that the filter has already.
     *
     * @param path the way from {@code payload} through members of objects, such as {@code payload.owner.name}
     * @return the condition, to be completed
     * @throws IllegalArgumentException if the path is malformed
     */
    public Where where(String path) {
        return new Where(this, new Condition(path, Operator.EXISTS, List.of()).path());
    }

    /** A condition whose path is known. */
    public static final class Where {
        private final Filter before;
        private final String path;

        private Where(Filter before, String path) {
            this.before = before;
            this.path = path;
        }

        /**
         * Wants one value.
         *
         * @param value text, a number, a boolean, or null for the JSON value {@code null}
         * @return the filter
         * @throws IllegalArgumentException if the value is anything else
         */
        public Filter equalTo(@Nullable Object value) {
            return before.with(new Condition(path, Operator.EQUALS, List.of(Literals.of(value))));
        }

        /**
         * Wants one of several values.
         *
         * @param values texts, numbers, booleans, or nulls for the JSON value {@code null}
         * @return the filter
         * @throws IllegalArgumentException if there is no value, or one is anything else
         */
        public Filter in(@Nullable Object... values) {
            return before.with(new Condition(
                    path, Operator.IN, Stream.of(values).map(Literals::of).toList()));
        }

        /**
         * Wants something to be there, be it the JSON value {@code null}.
         *
         * @return the filter
         */
        public Filter exists() {
            return before.with(new Condition(path, Operator.EXISTS, List.of()));
        }
    }

    private Filter with(Condition condition) {
        List<Condition> all = new ArrayList<>(conditions);
        all.add(condition);
        return new Filter(types, prefixes, all);
    }

    /**
     * Decides about an event.
     *
     * @param event the event
     * @return whether it passes
     * @throws CodecException if there are conditions, and the payload is not JSON
     */
    public boolean passes(Event event) {
        return passesType(event.type()) && payload.holds(event.payload().json());
    }

    /**
     * Decides about a type alone.
     *
     * @param type an event's type
     * @return whether events of the type can pass
     */
    public boolean passesType(String type) {
        if (isAnyType() || types.contains(type)) {
            return true;
        }
        for (String prefix : prefixes) {
            if (type.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether the type does not matter.
     *
     * @return true if no type is named
     */
    public boolean isAnyType() {
        return types.isEmpty() && prefixes.isEmpty();
    }

    /**
     * Returns the types named exactly.
     *
     * @return the types, sorted
     */
    public Set<String> types() {
        return types;
    }

    /**
     * Returns the prefixes of types.
     *
     * @return what a type has to begin with, such as {@code asset.}, sorted
     */
    public Set<String> prefixes() {
        return prefixes;
    }

    /**
     * Returns what has to hold of the payload.
     *
     * @return the conditions, in the order in which they were declared
     */
    public List<Condition> conditions() {
        return conditions;
    }

    /**
     * Returns the filter as one JSON object, to be stored: {@code {"type": ["asset.*"], "where": [{"path":
     * "payload.kind", "in": ["class", "record"]}]}}.
     *
     * @return the text, the same for equal filters
     */
    public String json() {
        return FilterText.write(patterns(), conditions);
    }

    private List<String> patterns() {
        return Stream.concat(types.stream(), prefixes.stream().map(prefix -> prefix + "*"))
                .sorted()
                .toList();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Filter that
                && types.equals(that.types)
                && prefixes.equals(that.prefixes)
                && conditions.equals(that.conditions);
    }

    @Override
    public int hashCode() {
        return Objects.hash(types, prefixes, conditions);
    }

    /** Returns the filter in words, for people: {@code type in (asset.*) and payload.kind in ("class", "record")}. */
    @Override
    public String toString() {
        String ofType = isAnyType() ? "any type" : "type in (" + String.join(", ", patterns()) + ")";
        return Stream.concat(Stream.of(ofType), conditions.stream().map(Condition::toString))
                .collect(Collectors.joining(" and "));
    }
}
