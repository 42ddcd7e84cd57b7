// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import dev.fanout.StartRefusedException;
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

    /** How many children a stream may have. */
    public static final int MAX_CHILDREN = 108;

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
     * One attachment of a child. Cursor and gate belong to its epoch.
     *
     * @param no the child's number in the store
     * @param child the child's name
     * @param stream the number of the stream that it hangs on
     * @param epoch the identity of this attachment
     */
    public record Attachment(int no, String child, int stream, String epoch) {}

    /** Copies the lists. */
    public Layout {
        streams = List.copyOf(streams);
        attachments = List.copyOf(attachments);
    }

    /**
     * Refuses to store this, if a stream has too many children, whichever processes declare them.
     *
     * @throws StartRefusedException naming the stream
     */
    public void checkNumberOfChildren() {
        for (Stream stream : streams) {
            long count = attachments.stream()
                    .filter(child -> child.stream() == stream.no())
                    .count();
            if (count > MAX_CHILDREN) {
                throw new StartRefusedException("stream '" + stream.name() + "' has " + count
                        + " children, those of other processes included; at most " + MAX_CHILDREN + " are allowed");
            }
        }
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
