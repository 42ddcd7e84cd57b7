// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a store holds of streams and children, whoever declared them.
 *
 * @param streams all streams
 * @param attachments all attached children
 */
public record Layout(List<Stream> streams, List<Attachment> attachments) {

    /**
     * A stored stream.
     *
     * @param no its number in the store
     * @param name its name
     * @param entityTypes the types that it carries
     * @param partitions its number of partitions
     * @param lane the lane that publishes it
     */
    public record Stream(int no, String name, Set<String> entityTypes, int partitions, int lane) {

        /** Copies the set. */
        public Stream {
            entityTypes = Set.copyOf(entityTypes);
        }
    }

    /**
     * One attachment of a child. Cursor, gate and parked events belong to its epoch.
     *
     * @param no the attachment's number in the store, never given again
     * @param child the child's name
     * @param stream the number of the stream that it hangs on
     * @param epoch the identity of this attachment
     * @param paused whether its cursors stand still until they are resumed
     * @param delay how old a record must be before the child gets it
     */
    public record Attachment(int no, String child, int stream, String epoch, boolean paused, Duration delay) {}

    /** Copies the lists. */
    public Layout {
        streams = List.copyOf(streams);
        attachments = List.copyOf(attachments);
    }

    /**
     * Finds a stream.
     *
     * @param name its name
     * @return the stream, if the store has it
     */
    public Optional<Stream> stream(String name) {
        return streams.stream().filter(s -> s.name().equals(name)).findFirst();
    }

    /**
     * Finds the attachment of a child.
     *
     * @param child the child's name
     * @return the attachment, if the store has it
     */
    public Optional<Attachment> attachment(String child) {
        return attachments.stream().filter(a -> a.child().equals(child)).findFirst();
    }
}
