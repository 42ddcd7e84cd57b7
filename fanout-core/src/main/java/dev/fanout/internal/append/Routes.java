// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.append;

import dev.fanout.Append;
import dev.fanout.AppendRefusedException;
import dev.fanout.EntityRef;
import dev.fanout.StartRefusedException;
import dev.fanout.StreamSpec;
import dev.fanout.spi.Appends.Route;
import dev.fanout.spi.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Where events go: the declared streams, with the numbers under which they are stored. Immutable. */
public final class Routes {

    private final Map<String, Layout.Stream> byName = new TreeMap<>();

    /**
     * Joins what is declared with what is stored.
     *
     * @param declared the streams of this process
     * @param layout what the store holds
     * @throws StartRefusedException if a declared stream is not stored, or otherwise than declared
     */
    public Routes(List<StreamSpec> declared, Layout layout) {
        for (StreamSpec spec : declared) {
            byName.put(spec.name(), stored(spec, layout));
        }
    }

    /**
     * Returns where the events of an append go.
     *
     * @param append the append
     * @return one route for each stream; empty only for history
     * @throws AppendRefusedException if it names an undeclared stream, or reaches none without saying so
     */
    public List<Route> of(Append append) {
        return streams(append).stream()
                .map(stream -> route(append.entity(), stream))
                .toList();
    }

    /**
     * Returns the names of the streams that the events of an append go to.
     *
     * @param append the append
     * @return the names; empty only for history
     * @throws AppendRefusedException if it names an undeclared stream, or reaches none without saying so
     */
    public Set<String> names(Append append) {
        return streams(append).stream().map(Layout.Stream::name).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns the names of streams that the store knows by their numbers.
     *
     * @param numbers the numbers
     * @return the names, but of streams that this process does not declare: nobody can wait for their children here
     */
    public Set<String> names(Set<Integer> numbers) {
        return byName.values().stream()
                .filter(stream -> numbers.contains(stream.no()))
                .map(Layout.Stream::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    private List<Layout.Stream> streams(Append append) {
        List<Layout.Stream> streams = append.streams().isEmpty() ? carrying(append.entity()) : named(append);
        if (append.isHistoryOnly()) {
            refuseBoth(append);
            return List.of();
        }
        if (streams.isEmpty()) {
            throw new AppendRefusedException("entity type '" + append.entity().type() + "' of " + append
                    + " is carried by no stream (declared: " + byName.keySet()
                    + "): declare it with entities(..), name streams with publish(..), or say historyOnly()");
        }
        return streams;
    }

    private static void refuseBoth(Append append) {
        if (!append.streams().isEmpty()) {
            throw new AppendRefusedException(append + " says historyOnly() and publish("
                    + String.join(", ", append.streams()) + "): its events go to streams or they don't; leave one out");
        }
    }

    private List<Layout.Stream> carrying(EntityRef entity) {
        return byName.values().stream()
                .filter(stream -> stream.entityTypes().contains(entity.type()))
                .toList();
    }

    private List<Layout.Stream> named(Append append) {
        List<Layout.Stream> streams = new ArrayList<>();
        for (String name : new TreeSet<>(append.streams())) {
            Layout.Stream stream = byName.get(name);
            if (stream == null) {
                throw new AppendRefusedException("stream '" + name + "' of " + append
                        + " is not declared; declared streams: " + byName.keySet());
            }
            streams.add(stream);
        }
        return streams;
    }

    private static Route route(EntityRef entity, Layout.Stream stream) {
        return new Route(stream.lane(), stream.no(), Partitioner.partition(entity, stream.partitions()));
    }

    private static Layout.Stream stored(StreamSpec spec, Layout layout) {
        Layout.Stream stored = layout.stream(spec.name())
                .orElseThrow(
                        () -> new StartRefusedException(
                                "stream '" + spec.name()
                                        + "' is not stored yet: let one process that declares it reach the database with write access"));
        if (stored.partitions() != spec.partitions() || !stored.entityTypes().equals(spec.entityTypes())) {
            throw new StartRefusedException("stream '" + spec.name() + "' is stored with " + stored.partitions()
                    + " partitions for " + new TreeSet<>(stored.entityTypes()) + ", declared with "
                    + spec.partitions() + " for " + new TreeSet<>(spec.entityTypes())
                    + ": stored settings win; declare the same, or a stream of another name");
        }
        return stored;
    }
}
