// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.append;

import dev.fanout.Append;
import dev.fanout.AppendRefusedException;
import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.StartRefusedException;
import dev.fanout.StreamSpec;
import dev.fanout.spi.Appends.Route;
import dev.fanout.spi.Layout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Where events go: the declared streams, with the numbers under which they are stored. Immutable. */
public final class Routes {

    private final Layout layout;
    private final Map<String, Layout.Stream> byName = new TreeMap<>();
    private final Map<String, String> parents = new TreeMap<>();
    private final Map<String, Target> byType = new HashMap<>();

    /**
     * The streams that an append goes to, by name.
     *
     * @param streams the streams
     * @param names their names
     */
    public record Target(List<Layout.Stream> streams, Set<String> names) {

        private static final Target NOWHERE = of(List.of());

        private static Target of(List<Layout.Stream> streams) {
            return new Target(
                    List.copyOf(streams),
                    streams.stream().map(Layout.Stream::name).collect(Collectors.toUnmodifiableSet()));
        }

        /**
         * Returns where the events of an entity go.
         *
         * @param entity the entity
         * @return one route for each stream
         */
        public List<Route> routes(EntityRef entity) {
            if (streams.size() == 1) {
                return List.of(route(entity, streams.get(0)));
            }
            return streams.stream().map(stream -> route(entity, stream)).toList();
        }
    }

    /**
     * Joins what is declared with what is stored.
     *
     * @param declared the streams of this process
     * @param layout what the store holds
     * @throws StartRefusedException if a declared stream is not stored, or otherwise than declared
     */
    public Routes(List<StreamSpec> declared, Layout layout) {
        this.layout = layout;
        for (StreamSpec spec : declared) {
            Layout.Stream stream = stored(spec, layout);
            byName.put(spec.name(), stream);
            layout.feeding(stream)
                    .flatMap(link -> layout.stream(link.stream()))
                    .ifPresent(parent -> parents.put(spec.name(), parent.name()));
        }
        for (StreamSpec spec : declared) {
            spec.entityTypes().forEach(type -> byType.computeIfAbsent(type, this::allCarrying));
        }
    }

    private Target allCarrying(String type) {
        return Target.of(byName.values().stream()
                .filter(stream -> stream.entityTypes().contains(type))
                .toList());
    }

    /**
     * Returns whether these are still the routes.
     *
     * @param now what the store holds now
     * @return true if they were made of the same layout
     */
    @SuppressWarnings(
            "ReferenceEquality") // asked at every append; an equal one that was read anew costs new routes, once
    public boolean isOf(Layout now) {
        return layout == now;
    }

    /**
     * Returns where the events of an append go.
     *
     * @param append the append
     * @return the streams; none only for history
     * @throws AppendRefusedException if it names an undeclared stream, or reaches none without saying so
     */
    public Target of(Append append) {
        Target target = append.streams().isEmpty() ? carrying(append.entity()) : named(append);
        if (append.isHistoryOnly()) {
            refuseBoth(append);
            return Target.NOWHERE;
        }
        if (target.streams().isEmpty()) {
            throw new AppendRefusedException("entity type '" + append.entity().type() + "' of " + append
                    + " is carried by no stream (declared: " + byName.keySet()
                    + "): declare it with entities(..), name streams with publish(..), or say historyOnly()");
        }
        return target;
    }

    private static void refuseBoth(Append append) {
        if (!append.streams().isEmpty()) {
            throw new AppendRefusedException(append + " says historyOnly() and publish("
                    + String.join(", ", append.streams()) + "): its events go to streams or they don't; leave one out");
        }
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

    private Target carrying(EntityRef entity) {
        return byType.getOrDefault(entity.type(), Target.NOWHERE);
    }

    private Target named(Append append) {
        List<Layout.Stream> streams = new ArrayList<>();
        for (String name : new TreeSet<>(append.streams())) {
            Layout.Stream stream = byName.get(name);
            if (stream == null) {
                throw new AppendRefusedException("stream '" + name + "' of " + append
                        + " is not declared; declared streams: " + byName.keySet());
            }
            String parent = parents.get(name);
            if (parent != null) {
                throw new AppendRefusedException("stream '" + name + "' of " + append + " is a child of stream '"
                        + parent + "' and takes no appends: publish to '" + parent + "', and its records follow");
            }
            streams.add(stream);
        }
        return Target.of(streams);
    }

    /**
     * Returns where the records of a parent go.
     *
     * @param stream the child stream
     * @return the route by event
     */
    public static Function<Event, Route> to(Layout.Stream stream) {
        return event -> route(event.entity(), stream);
    }

    private static Route route(EntityRef entity, Layout.Stream stream) {
        return new Route(stream.lane(), stream.no(), Partitioner.partition(entity, stream));
    }

    private static Layout.Stream stored(StreamSpec spec, Layout layout) {
        Layout.Stream stored = layout.stream(spec.name())
                .orElseThrow(
                        () -> new StartRefusedException(
                                "stream '" + spec.name()
                                        + "' is not stored yet: let one process that declares it reach the database with write access"));
        if (stored.partitions() != spec.partitions()
                || stored.partitioner() != spec.partitioner()
                || !stored.entityTypes().equals(spec.entityTypes())) {
            throw new StartRefusedException("stream '" + spec.name() + "' is stored with " + stored.partitions()
                    + " partitions by " + stored.partitioner() + " for " + new TreeSet<>(stored.entityTypes())
                    + ", declared with " + spec.partitions() + " by " + spec.partitioner() + " for "
                    + new TreeSet<>(spec.entityTypes())
                    + ": stored settings win; declare the same, or a stream of another name");
        }
        return stored;
    }
}
