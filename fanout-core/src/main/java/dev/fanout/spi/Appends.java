// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fanout.Entity;
import dev.fanout.EntityRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/**
 * Appends within the application's own transaction. Never commits, never rolls back, never opens a connection, and
 * waits for nothing but the entities' locks.
 *
 * @param <T> the transaction handle of the application
 */
public interface Appends<T> {

    /**
     * One append to one entity, resolved.
     *
     * @param entity which entity
     * @param expecting the version that it must have before, 0 for absent
     * @param sourceVersion the application's own version, which must grow
     * @param state the new state as JSON; empty leaves the state as it is
     * @param events the events in order, at least one. A tombstone among them clears the state that was there before;
     *     where the last one is a tombstone, a new state is not written either
     * @param key the idempotency key, unique per entity; a repeat is answered before anything else is compared
     */
    record EntityAppend(
            EntityRef entity,
            OptionalLong expecting,
            OptionalLong sourceVersion,
            Optional<String> state,
            List<NewEvent> events,
            Optional<String> key) {

        /** Copies the list. */
        public EntityAppend {
            events = List.copyOf(events);
        }
    }

    /**
     * One new event.
     *
     * @param id its identity
     * @param type what happened
     * @param payload the facts, as JSON that has been checked, laid out as it will be read
     * @param headers text beside the facts
     * @param deleted whether it is a tombstone
     * @param routes where it goes, the same for all events of one append; empty for history only
     */
    record NewEvent(
            UUID id, String type, String payload, Map<String, String> headers, boolean deleted, List<Route> routes) {

        /** Copies the collections. */
        public NewEvent {
            headers = Map.copyOf(headers);
            routes = List.copyOf(routes);
        }

        /**
         * Returns the size that is stored with the event: what it takes to read it, and what slabs are measured by.
         *
         * @return bytes of payload and headers
         */
        public int size() {
            return Math.toIntExact(payload.getBytes(UTF_8).length + size(headers));
        }

        /**
         * Returns how long headers are as a JSON object of strings.
         *
         * @param headers the headers
         * @return bytes; 0 for none
         */
        public static long size(Map<String, String> headers) {
            long bytes = 0;
            for (Map.Entry<String, String> header : headers.entrySet()) {
                bytes += quoted(header.getKey()) + quoted(header.getValue()) + ", : ".length();
            }
            return bytes == 0 ? 0 : bytes + "{}".length() - ", ".length();
        }

        private static long quoted(String text) {
            long bytes = text.getBytes(UTF_8).length + 2L;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                bytes += c == '"' || c == '\\' ? 1 : c < ' ' ? 5 : 0;
            }
            return bytes;
        }
    }

    /**
     * Where an event goes.
     *
     * @param lane the lane that publishes it
     * @param stream the stream's number
     * @param partition the partition within the stream
     */
    record Route(int lane, int stream, int partition) {}

    /** What became of one append of a batch. */
    sealed interface Result {

        /**
         * It is written.
         *
         * @param version the entity's version after its last event
         */
        record Written(long version) implements Result {}

        /**
         * Its key had been used before; nothing was written for it.
         *
         * @param events the events of the earlier append, in order
         * @param streams the numbers of the streams that they went to then
         */
        record Repeated(List<dev.fanout.Appended.Id> events, Set<Integer> streams) implements Result {

            /** Copies the collections. */
            public Repeated {
                events = List.copyOf(events);
                streams = Set.copyOf(streams);
            }
        }
    }

    /**
     * Appends a batch in one round trip: everything or, when it refuses, nothing, and the transaction stays usable.
     *
     * @param tx the application's transaction
     * @param batch the appends, at least one, sorted by entity (the lock order); several to one entity are taken in
     *     the order given
     * @return the results, one for each append
     * @throws dev.fanout.AppendRefusedException if the handle has no live transaction that can write
     * @throws dev.fanout.VersionConflictException if an expectation does not hold, or a source version does not grow
     */
    List<Result> append(T tx, List<EntityAppend> batch);

    /**
     * Reads an entity as the transaction sees it.
     *
     * @param tx the application's transaction
     * @param entity which entity
     * @return the entity, if it exists
     */
    Optional<Entity> find(T tx, EntityRef entity);

    /**
     * Reads streams and children through the application's transaction, which stays usable even where the schema is
     * not there yet. For an engine whose {@link Store#open} has not succeeded so far.
     *
     * @param tx the application's transaction
     * @return the layout, or empty if there is none yet
     */
    Optional<Layout> layout(T tx);

    /**
     * Runs work in a transaction of the store's own making, and commits it.
     *
     * @param <R> what the work returns
     * @param work what to do; what it throws rolls the transaction back
     * @return what the work returned
     * @throws Exception what the work threw
     */
    <R> R inTransaction(Work<T, R> work) throws Exception;

    /**
     * Work within a transaction.
     *
     * @param <T> the transaction handle
     * @param <R> what it returns
     */
    @FunctionalInterface
    interface Work<T, R> {

        /**
         * Does the work.
         *
         * @param tx the transaction
         * @return any result
         * @throws Exception any failure; it rolls back
         */
        R in(T tx) throws Exception;
    }
}
