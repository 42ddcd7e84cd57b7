// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.ChildSpec;
import dev.fanout.Codec;
import dev.fanout.Event;
import dev.fanout.FanoutListener;
import dev.fanout.Settings;
import dev.fanout.StartRefusedException;
import dev.fanout.StreamSpec;
import dev.fanout.internal.cursor.Passing;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What an engine is made of, checked and complete.
 *
 * @param streams the declared streams
 * @param children the declared children
 * @param filters the registered filter functions, by name
 * @param settings the numbers
 * @param codec what encodes and decodes documents
 * @param listener who hears of everything
 * @param nodeName this node's name, for people
 * @param <T> the transaction handle of the store
 */
public record Parts<T>(
        List<StreamSpec> streams,
        List<ChildSpec<T>> children,
        Map<String, Predicate<Event>> filters,
        Settings settings,
        Codec codec,
        FanoutListener listener,
        String nodeName) {

    /** Copies the collections. */
    public Parts {
        streams = List.copyOf(streams);
        children = List.copyOf(children);
        filters = Map.copyOf(filters);
    }

    /**
     * Returns what lets events through to a child.
     *
     * @param child the child
     * @return its filters
     * @throws StartRefusedException if it filters by a function that is not registered
     */
    public Passing passing(ChildSpec<T> child) {
        String function = child.filterFunction();
        if (function != null && !filters.containsKey(function)) {
            throw new StartRefusedException("child '" + child.name() + "' filters by the function '" + function
                    + "', which is not registered; registered functions: " + new TreeSet<>(filters.keySet())
                    + ": register it with filter(\"" + function + "\", ..)");
        }
        return new Passing(child.filter(), function == null ? null : filters.get(function));
    }
}
