// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import dev.fanout.Settings;
import dev.fanout.StreamSpec.Partitioner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a store holds of streams and children, whoever declared them.
 *
 * @param streams all streams
 * @param attachments all attached children, paused ones too; not those that were detached
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
     * @param partitioner how an entity finds its partition
     * @param retention how long its records are kept at least
     */
    public record Stream(
            int no,
            String name,
            Set<String> entityTypes,
            int partitions,
            int lane,
            Partitioner partitioner,
            Duration retention) {

        /** Copies the set. */
        public Stream {
            entityTypes = Set.copyOf(entityTypes);
        }

        /**
         * A stream that is partitioned by entity and keeps its records for as long as the default says.
         *
         * @param no its number in the store
         * @param name its name
         * @param entityTypes the types that it carries
         * @param partitions its number of partitions
         * @param lane the lane that publishes it
         */
        public Stream(int no, String name, Set<String> entityTypes, int partitions, int lane) {
            this(
                    no,
                    name,
                    entityTypes,
                    partitions,
                    lane,
                    Partitioner.ENTITY,
                    Settings.defaults().streamRetention());
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
     * @param target the number of the stream that it publishes to, empty for a projection
     */
    public record Attachment(
            int no, String child, int stream, String epoch, boolean paused, Duration delay, OptionalInt target) {

        /**
         * An attachment of a projection.
         *
         * @param no the attachment's number in the store, never given again
         * @param child the child's name
         * @param stream the number of the stream that it hangs on
         * @param epoch the identity of this attachment
         * @param paused whether its cursors stand still until they are resumed
         * @param delay how old a record must be before the child gets it
         */
        public Attachment(int no, String child, int stream, String epoch, boolean paused, Duration delay) {
            this(no, child, stream, epoch, paused, delay, OptionalInt.empty());
        }
    }

    /** Copies the lists. */
    public Layout {
        streams = List.copyOf(streams);
        attachments = List.copyOf(attachments);
    }

    /**
     * Refuses to store this, if a stream has too many children, whichever processes declare them.
     *
     * @throws dev.fanout.StartRefusedException naming the stream
     */
    public void checkNumberOfChildren() {
        for (Stream stream : streams) {
            long count = attachments.stream()
                    .filter(child -> child.stream() == stream.no())
                    .count();
            Limits.checkChildren(stream.name(), count);
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

    /**
     * Finds a stream.
     *
     * @param no its number
     * @return the stream, if the store has it
     */
    public Optional<Stream> stream(int no) {
        return streams.stream().filter(s -> s.no() == no).findFirst();
    }

    /**
     * Finds the attachment that publishes to a stream: the link to its parent.
     *
     * @param stream the stream
     * @return the attachment, or empty if appends go there
     */
    public Optional<Attachment> feeding(Stream stream) {
        return attachments.stream()
                .filter(a -> a.target().isPresent() && a.target().getAsInt() == stream.no())
                .findFirst();
    }

    /**
     * Refuses children that would make the streams no tree, together with what others declared.
     *
     * @param declared children that are declared; what is stored of them already does no harm
     * @throws dev.fanout.StartRefusedException if a stream would get a second parent, one that takes appends would get
     *     a parent, or there would be a cycle
     */
    public void checkTree(List<Declaration.Child> declared) {
        new StreamLinks(this, declared).check();
    }
}
