// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import dev.fanout.Codec;
import dev.fanout.Settings;
import dev.fanout.StreamSpec;
import java.util.List;

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
     * A child as the store sees it.
     *
     * @param name the child's name
     * @param stream the stream that it hangs on
     * @param kind how it is gated: {@code PLAIN}, {@code SELF_GATED} or {@code TRANSACTIONAL}
     * @param fromBeginning where a first attachment starts: the oldest kept record, or the tail
     * @param epoch the epoch that a first attachment gets
     */
    public record Child(String name, String stream, String kind, boolean fromBeginning, String epoch) {}

    /** Copies the lists. */
    public Declaration {
        streams = List.copyOf(streams);
        children = List.copyOf(children);
    }
}
