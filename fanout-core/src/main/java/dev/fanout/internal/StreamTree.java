// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.ChildSpec;
import dev.fanout.StartRefusedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Streams and the children that publish from one to another: each stream has one parent at the most, and none is its own. */
final class StreamTree {

    private StreamTree() {}

    /**
     * Refuses what is no tree.
     *
     * @throws StartRefusedException if a stream has two parents, or there is a cycle
     */
    static void check(Collection<? extends ChildSpec<?>> children) {
        Map<String, ChildSpec<?>> parents = new LinkedHashMap<>();
        for (ChildSpec<?> child : children) {
            if (child.target() != null) {
                ChildSpec<?> other = parents.putIfAbsent(child.target(), child);
                if (other != null) {
                    throw new StartRefusedException(
                            "stream '" + child.target() + "' has two parents: '" + other.stream()
                                    + "' (by child '" + other.name() + "') and '" + child.stream() + "' (by child '"
                                    + child.name() + "'); an entity must reach it by one way only");
                }
            }
        }
        parents.keySet().forEach(stream -> checkNoCycle(stream, parents));
    }

    private static void checkNoCycle(String stream, Map<String, ChildSpec<?>> parents) {
        Set<String> path = new LinkedHashSet<>();
        for (String at = stream; parents.containsKey(at); at = Objects.requireNonNull(parents.get(at).stream())) {
            if (!path.add(at)) {
                throw new StartRefusedException("streams form a cycle: " + written(path, at)
                        + "; a record would go round for ever: streams form a tree");
            }
        }
    }

    /** From parent to child, and only what goes round. */
    private static String written(Set<String> upwards, String again) {
        List<String> path = new ArrayList<>(upwards);
        path = new ArrayList<>(path.subList(path.indexOf(again), path.size()));
        path.add(again);
        Collections.reverse(path);
        return String.join(" -> ", path);
    }
}
