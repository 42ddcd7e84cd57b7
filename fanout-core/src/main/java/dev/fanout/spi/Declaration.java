// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import dev.fanout.Codec;
import dev.fanout.Settings;
import dev.fanout.StreamSpec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a process declares when it opens a store.
 *
 * @param streams the streams that it knows
 * @param children the children that it can run
 * @param codec what payloads that it reads are decoded with
 * @param settings the engine's numbers
 */
public record Declaration(List<StreamSpec> streams, List<Child> children, Codec codec, Settings settings) {

    /**
     * A declared child.
     *
     * @param name its name
     * @param stream the stream that it hangs on
     * @param kind what it drives
     * @param target the stream that it publishes to; null for a projection
     * @param delay how old a record must be before the child gets it
     * @param filter what lets events through, as JSON to be stored and shown: words, a function's name, or a list of both;
     *     null if all pass
     * @param fromBeginning whether a first attachment starts with the oldest kept record
     * @param epoch the identity of its attachment, should there be none yet
     */
    public record Child(
            String name,
            String stream,
            String kind,
            @Nullable String target,
            Duration delay,
            @Nullable String filter,
            boolean fromBeginning,
            String epoch) {

        /**
         * Declares a child that drives a projection, without delay and filter.
         *
         * @param name its name
         * @param stream the stream that it hangs on
         * @param kind what it drives
         * @param fromBeginning whether a first attachment starts with the oldest kept record
         * @param epoch the identity of its attachment, should there be none yet
         */
        public Child(String name, String stream, String kind, boolean fromBeginning, String epoch) {
            this(name, stream, kind, null, Duration.ZERO, null, fromBeginning, epoch);
        }
    }

    /** Copies the lists. */
    public Declaration {
        streams = List.copyOf(streams);
        children = List.copyOf(children);
    }
}
