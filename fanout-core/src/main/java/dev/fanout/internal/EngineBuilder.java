// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.ChildSpec;
import dev.fanout.Codec;
import dev.fanout.Event;
import dev.fanout.FanoutListener;
import dev.fanout.Settings;
import dev.fanout.StartRefusedException;
import dev.fanout.StreamSpec;
import dev.fanout.internal.json.Codecs;
import dev.fanout.spi.Limits;
import dev.fanout.spi.Store;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Collects declarations and checks them against each other.
 *
 * @param <T> the transaction handle of the store
 */
public final class EngineBuilder<T> {

    private final Store<T> store;

    private final Map<String, StreamSpec> streams = new LinkedHashMap<>();
    private final Map<String, ChildSpec<T>> children = new LinkedHashMap<>();
    private final Map<String, Predicate<Event>> filters = new LinkedHashMap<>();
    private Settings settings = Settings.defaults();
    private @Nullable Codec codec;
    private FanoutListener listener = new FanoutListener() {};
    private @Nullable String nodeName;

    /**
     * Begins.
     *
     * @param store the store
     */
    public EngineBuilder(Store<T> store) {
        this.store = store;
    }

    /**
     * Adds a stream.
     *
     * @param stream the stream
     */
    public void add(StreamSpec stream) {
        StreamSpec other = streams.putIfAbsent(stream.name(), stream);
        if (other != null) {
            throw new StartRefusedException(
                    "two streams are named '" + stream.name() + "': " + other + " and " + stream);
        }
    }

    /**
     * Adds a child.
     *
     * @param child the child
     */
    public void add(ChildSpec<T> child) {
        checkComplete(child);
        if (children.putIfAbsent(child.name(), child) != null) {
            throw new StartRefusedException("two children are named '" + child.name()
                    + "': the cursor is kept under the name, so each needs its own");
        }
    }

    /**
     * Registers a filter function.
     *
     * @param name its name
     * @param passes the function
     */
    public void filter(String name, Predicate<Event> passes) {
        if (filters.putIfAbsent(name, passes) != null) {
            throw new StartRefusedException("two filter functions are named '" + name
                    + "': children say by name which one they mean, so each needs its own");
        }
    }

    /**
     * Sets the numbers.
     *
     * @param value the numbers
     */
    public void settings(Settings value) {
        settings = value;
    }

    /**
     * Sets the codec.
     *
     * @param value the codec
     */
    public void codec(Codec value) {
        codec = value;
    }

    /**
     * Sets the listener.
     *
     * @param value the listener
     */
    public void listener(FanoutListener value) {
        listener = value;
    }

    /**
     * Sets the node's name.
     *
     * @param value the name
     */
    public void nodeName(String value) {
        nodeName = value;
    }

    /**
     * Checks everything and makes the engine.
     *
     * @return the engine
     */
    public Engine<T> build() {
        children.values().forEach(child -> ChildRules.check(child, streams.values()));
        children.values().forEach(this::checkRetention);
        StreamTree.check(children.values());
        streams.keySet().forEach(this::checkNumberOfChildren);
        Codec chosen = codec != null ? codec : Codecs.detect();
        String name = nodeName != null
                ? nodeName
                : "node-" + Long.toHexString(store.platform().random());
        Parts<T> parts = new Parts<>(
                List.copyOf(streams.values()),
                List.copyOf(children.values()),
                filters,
                settings,
                chosen,
                new SafeListener(listener),
                name);
        children.values().forEach(parts::passing);
        return new Engine<>(store, parts);
    }

    /**
     * Checks that a child says all that it must.
     *
     * @param child the child
     * @throws StartRefusedException if it does not
     */
    public static void checkComplete(ChildSpec<?> child) {
        if (child.kind() == null) {
            throw new StartRefusedException("child '" + child.name() + "' drives nothing: give it a projection(..),"
                    + " selfGated(..), transactional(..) or stream(..)");
        }
        if (child.stream() == null) {
            throw new StartRefusedException("child '" + child.name() + "' hangs on no stream: name one with of(..)");
        }
    }

    private void checkNumberOfChildren(String stream) {
        long count = children.values().stream()
                .filter(child -> stream.equals(child.stream()))
                .count();
        Limits.checkChildren(stream, count);
    }

    private void checkRetention(ChildSpec<T> child) {
        Duration retention = Objects.requireNonNull(streams.get(child.stream())).retention();
        if (retention != null) {
            Limits.checkRetention(String.valueOf(child.stream()), retention, child.name(), child.delay());
        }
    }
}
