// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import dev.fanout.EntityRef;
import dev.fanout.ParkedEntity;
import java.util.List;
import java.util.Optional;

/**
 * The events that are set aside, read by the owner of their partition, and what people ask to become of them. Only the
 * owner changes them, by its {@link Cursors.Advance}, so that a requeue can't race with parking.
 */
public interface Parked {

    /** What people may ask for. */
    enum Wish {
        /** Deliver again what is parked, in order. */
        REQUEUE,
        /** Give up what is parked. */
        DISCARD
    }

    /**
     * What was asked for one entity.
     *
     * @param entityNo which entity
     * @param entity its name
     * @param wish what to do
     * @param upTo the highest version that was parked when it was asked: what comes later was not meant
     */
    record Request(long entityNo, EntityRef entity, Wish wish, long upTo) {}

    /**
     * Reads what is asked for in a partition of a child.
     *
     * @param attachment the child's attachment
     * @param partition the partition of the stream
     * @param limit how many entities at the most
     * @return the requests, the oldest first
     */
    List<Request> requests(Layout.Attachment attachment, int partition, int limit);

    /**
     * Reads parked events of an entity in version order, in one statement.
     *
     * @param attachment the child's attachment
     * @param entityNo which entity
     * @param limit how many at the most
     * @param bytes how many bytes of payload at the most; the first event comes in any case
     * @return the events at the positions that they had
     */
    List<LogRecord> events(Layout.Attachment attachment, long entityNo, int limit, long bytes);

    /**
     * Asks for something, of whichever node owns the partitions, and tells the nodes.
     *
     * @param attachment the child's attachment
     * @param entity which entity; empty for all that are parked
     * @param wish what to do
     * @return how many entities it concerns
     */
    long request(Layout.Attachment attachment, Optional<EntityRef> entity, Wish wish);

    /**
     * Lists entities that are set aside.
     *
     * @param attachment the child's attachment
     * @param limit how many at the most
     * @return the entities, those parked longest first
     */
    List<ParkedEntity> list(Layout.Attachment attachment, int limit);
}
