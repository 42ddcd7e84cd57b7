// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.Event;
import dev.fanout.Filter;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What lets events through to a child: what is declared in words and then, for what is left, a registered function.
 *
 * @param words the declarative filter, if any
 * @param function the function, if any
 */
public record Passing(@Nullable Filter words, @Nullable Predicate<Event> function) implements Predicate<Event> {

    /** Lets everything through. */
    public static final Passing ALL = new Passing(null, null);

    @Override
    public boolean test(Event event) {
        return (words == null || words.passes(event)) && (function == null || function.test(event));
    }

    /**
     * Returns whether there is nothing to decide.
     *
     * @return true if everything passes
     */
    public boolean isAll() {
        return words == null && function == null;
    }
}
