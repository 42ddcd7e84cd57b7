// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.ChildSpec;
import dev.fanout.Codec;
import dev.fanout.FanoutListener;
import dev.fanout.Settings;
import dev.fanout.StartRefusedException;
import dev.fanout.StreamSpec;
import dev.fanout.internal.json.Codecs;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Store;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects declarations and checks them against each other.
 *
 * @param <T> the transaction handle of the store
 */
public final class EngineBuilder<T> {

    /** More children than this on one stream are refused: each costs a cursor per partition on some node. */
    private final Store<T> store;

    private final Map<String, StreamSpec> streams = new LinkedHashMap<>();
    private final Map<String, ChildSpec<T>> children = new LinkedHashMap<>();
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
        if (child.kind() == null) {
            throw new StartRefusedException("child '" + child.name() + "' drives nothing: give it a projection(..),"
                    + " selfGated(..) or transactional(..)");
        }
        if (child.stream() == null) {
            throw new StartRefusedException("child '" + child.name() + "' hangs on no stream: name one with of(..)");
        }
        if (children.putIfAbsent(child.name(), child) != null) {
            throw new StartRefusedException("two children are named '" + child.name()
                    + "': the cursor is kept under the name, so each needs its own");
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
        children.values().forEach(this::checkStream);
        streams.keySet().forEach(this::checkNumberOfChildren);
        Codec chosen = codec != null ? codec : Codecs.detect();
        String name = nodeName != null
                ? nodeName
                : "node-" + Long.toHexString(store.platform().random());
        return new Engine<>(
                store,
                new Parts<>(
                        List.copyOf(streams.values()),
                        List.copyOf(children.values()),
                        settings,
                        chosen,
                        new SafeListener(listener),
                        name));
    }

    private void checkStream(ChildSpec<T> child) {
        if (!streams.containsKey(child.stream())) {
            throw new StartRefusedException("child '" + child.name() + "' hangs on stream '" + child.stream()
                    + "', which is not declared; declared streams: " + streams.keySet());
        }
    }

    private void checkNumberOfChildren(String stream) {
        long count = children.values().stream()
                .filter(child -> stream.equals(child.stream()))
                .count();
        if (count > Layout.MAX_CHILDREN) {
            throw new StartRefusedException("stream '" + stream + "' has " + count + " children; at most "
                    + Layout.MAX_CHILDREN + " are allowed");
        }
    }
}
