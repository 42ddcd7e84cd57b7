// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.ChildSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The children that this process can run: those declared when it was built, and those handed in since. Safe for use by many
 * threads.
 *
 * @param <T> the transaction handle of the store
 */
public final class Roster<T> {

    private final Map<String, ChildSpec<T>> specs = new LinkedHashMap<>();
    private volatile List<ChildSpec<T>> all;

    Roster(List<ChildSpec<T>> declared) {
        declared.forEach(spec -> specs.put(spec.name(), spec));
        all = List.copyOf(declared);
    }

    /**
     * Returns all of them.
     *
     * @return the declarations, a list that never changes
     */
    public List<ChildSpec<T>> all() {
        return all;
    }

    /**
     * Finds one.
     *
     * @param child its name
     * @return its declaration, if this process has one
     */
    public Optional<ChildSpec<T>> find(String child) {
        return all.stream().filter(spec -> spec.name().equals(child)).findFirst();
    }

    Set<String> names() {
        return Set.copyOf(all.stream().map(ChildSpec::name).toList());
    }

    /** Adds a declaration, or puts it in the place of the one before. */
    synchronized void put(ChildSpec<T> spec) {
        specs.put(spec.name(), spec);
        all = List.copyOf(specs.values());
    }
}
