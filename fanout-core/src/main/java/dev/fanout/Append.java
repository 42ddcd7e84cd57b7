// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says what to append to one entity. Immutable: every method returns a new value.
 *
 * <pre>{@code
 * Append.to("asset", assetId)
 *         .expecting(7)
 *         .state(asset)
 *         .event("asset.renamed", new Renamed("pump-7"));
 * }</pre>
 */
public final class Append {

    private static final int MAX_HEADER = 8192;
    private static final int MAX_KEY = 200;

    private final EntityRef entity;
    private final OptionalLong expecting;
    private final OptionalLong sourceVersion;
    private final Optional<Content> state;
    private final List<NewEvent> events;
    private final Map<String, String> headers;
    private final Optional<String> key;
    private final Set<String> streams;
    private final boolean historyOnly;

    /**
     * A document as the caller gave it.
     *
     * @param json the text, where the caller gave text; otherwise null
     * @param value the object to encode, where the caller gave an object; may be null
     */
    public record Content(@Nullable String json, @Nullable Object value) {

        /**
         * Returns the document as JSON that the database can store.
         *
         * @param codec what encodes an object and checks text
         * @return the JSON text
         * @throws CodecException if it isn't JSON, or can't be encoded or stored
         */
        public String encode(Codec codec) {
            if (json == null) {
                return codec.encode(value);
            }
            codec.check(json);
            return json;
        }
    }

    /**
     * An event to append.
     *
     * @param type what happened
     * @param payload the facts
     * @param deleted whether it is a tombstone
     */
    public record NewEvent(String type, Content payload, boolean deleted) {}

    private Append(Draft draft) {
        this.entity = draft.entity;
        this.expecting = draft.expecting;
        this.sourceVersion = draft.sourceVersion;
        this.state = draft.state;
        this.events = List.copyOf(draft.events);
        this.headers = Map.copyOf(draft.headers);
        this.key = draft.key;
        this.streams = Set.copyOf(draft.streams);
        this.historyOnly = draft.historyOnly;
    }

    /**
     * Begins an append to an entity of the default tenant.
     *
     * @param type the entity's type
     * @param id the entity's id
     * @return an append without events
     * @throws IllegalArgumentException if a name is invalid
     */
    public static Append to(String type, String id) {
        return to(EntityRef.of(type, id));
    }

    /**
     * Begins an append to an entity.
     *
     * @param entity which entity
     * @return an append without events
     */
    public static Append to(EntityRef entity) {
        return new Append(new Draft(Objects.requireNonNull(entity, "entity")));
    }

    /**
     * Requires the entity to have this version before the first event of this append (optimistic concurrency).
     *
     * @param version the version, 0 for an entity that must not exist yet
     * @return the append
     * @throws IllegalArgumentException if the version is negative
     */
    public Append expecting(long version) {
        if (version < 0) {
            throw new IllegalArgumentException("expecting version " + version + ": versions start at 0 (absent)");
        }
        Draft draft = new Draft(this);
        draft.expecting = OptionalLong.of(version);
        return new Append(draft);
    }

    /**
     * Carries the version of the application's own row. It must only grow per entity and may leave gaps (JPA's
     * {@code @Version}: flush first); an append that would not raise it is refused as a conflict.
     *
     * @param version the application's version
     * @return the append
     */
    public Append sourceVersion(long version) {
        Draft draft = new Draft(this);
        draft.sourceVersion = OptionalLong.of(version);
        return new Append(draft);
    }

    /**
     * Writes the entity's state row, which {@link Fanout#find} reads.
     *
     * @param value the object to encode as the whole new state; null for the JSON value {@code null}
     * @return the append
     */
    public Append state(@Nullable Object value) {
        return withState(new Content(null, value));
    }

    /**
     * Writes the entity's state row from JSON text.
     *
     * @param json the whole new state
     * @return the append
     */
    public Append stateJson(String json) {
        return withState(new Content(Objects.requireNonNull(json, "json"), null));
    }

    /**
     * Adds an event.
     *
     * @param type what happened, such as {@code asset.renamed}
     * @param payload the object to encode as the facts; null for the JSON value {@code null}
     * @return the append
     * @throws IllegalArgumentException if the type is not a valid name
     */
    public Append event(String type, @Nullable Object payload) {
        return withEvent(type, new Content(null, payload), false);
    }

    /**
     * Adds an event with JSON text as its payload.
     *
     * @param type what happened
     * @param json the facts
     * @return the append
     * @throws IllegalArgumentException if the type is not a valid name
     */
    public Append eventJson(String type, String json) {
        return withEvent(type, new Content(Objects.requireNonNull(json, "json"), null), false);
    }

    /**
     * Adds a tombstone of type {@code <entity type>.deleted} with the JSON value {@code null}, and clears the state.
     * A later append to the entity brings it back with the next version.
     *
     * @return the append
     * @throws IllegalArgumentException if the entity's type has more than 119 characters: name the tombstone's type then
     */
    public Append deleted() {
        String type = entity.type() + ".deleted";
        if (type.length() > Names.MAX_NAME) {
            throw new IllegalArgumentException("entity type '" + entity.type()
                    + "' is too long for the tombstone type '" + "<entity type>.deleted' of at most " + Names.MAX_NAME
                    + " characters: name one with deleted(type, payload)");
        }
        return deleted(type, null);
    }

    /**
     * Adds a tombstone and clears the state. A later append to the entity brings it back with the next version.
     *
     * @param type what happened
     * @param payload the object to encode as the facts; null for the JSON value {@code null}
     * @return the append
     * @throws IllegalArgumentException if the type is not a valid name
     */
    public Append deleted(String type, @Nullable Object payload) {
        return withEvent(type, new Content(null, payload), true);
    }

    /**
     * Adds a header to every event of this append.
     *
     * @param name the header's name
     * @param value its text
     * @return the append
     * @throws IllegalArgumentException if either is empty, or can't be stored
     */
    public Append header(String name, String value) {
        Names.check("header name", name);
        Names.checkText("value of header " + name, value, MAX_HEADER);
        Draft draft = new Draft(this);
        draft.headers.put(name, value);
        return new Append(draft);
    }

    /**
     * Makes the append idempotent: of all appends to the entity with this key, the first writes, and the others return
     * what it wrote ({@link Appended#repeated()}). Keys are kept as long as the events are.
     *
     * @param key the key, such as the id of the command that caused the append; 1 to 200 characters
     * @return the append
     * @throws IllegalArgumentException if the key is empty, too long, or can't be stored
     */
    public Append key(String key) {
        Draft draft = new Draft(this);
        draft.key = Optional.of(Names.checkText("idempotency key", key, MAX_KEY));
        return new Append(draft);
    }

    /**
     * Names the streams that the events go to, instead of those that carry the entity's type.
     *
     * @param stream a declared stream
     * @param more further ones
     * @return the append
     */
    public Append publish(String stream, String... more) {
        Draft draft = new Draft(this);
        draft.streams.add(Names.check("stream", stream));
        for (String other : more) {
            draft.streams.add(Names.check("stream", other));
        }
        return new Append(draft);
    }

    /**
     * Keeps the events as history only: they go to no stream, on purpose. Without it, an append that reaches no
     * stream is refused, since a forgotten route would be a silence that nobody notices. Together with {@link #publish}
     * the append is refused too.
     *
     * @return the append
     */
    public Append historyOnly() {
        Draft draft = new Draft(this);
        draft.historyOnly = true;
        return new Append(draft);
    }

    /**
     * Returns which entity this appends to.
     *
     * @return the entity
     */
    public EntityRef entity() {
        return entity;
    }

    @Override
    public String toString() {
        return "append of " + events.size() + " event(s) to " + entity;
    }

    /**
     * Returns the version that the entity must have before this append.
     *
     * @return the version, if one was named
     */
    public OptionalLong expecting() {
        return expecting;
    }

    /**
     * Returns the version of the application's own row.
     *
     * @return the version, if one was named
     */
    public OptionalLong sourceVersion() {
        return sourceVersion;
    }

    /**
     * Returns the entity's new state.
     *
     * @return the state, if this append writes one
     */
    public Optional<Content> state() {
        return state;
    }

    /**
     * Returns the events in order.
     *
     * @return the events, unmodifiable
     */
    public List<NewEvent> events() {
        return events;
    }

    /**
     * Returns the headers of every event.
     *
     * @return the headers, unmodifiable
     */
    public Map<String, String> headers() {
        return headers;
    }

    /**
     * Returns the idempotency key.
     *
     * @return the key, if there is one
     */
    public Optional<String> key() {
        return key;
    }

    /**
     * Returns the streams named instead of the entity type's own.
     *
     * @return the names, empty where the type decides
     */
    public Set<String> streams() {
        return streams;
    }

    /**
     * Returns whether the events go to no stream, on purpose.
     *
     * @return true after {@link #historyOnly()}
     */
    public boolean isHistoryOnly() {
        return historyOnly;
    }

    private Append withState(Content content) {
        Draft draft = new Draft(this);
        draft.state = Optional.of(content);
        return new Append(draft);
    }

    private Append withEvent(String type, Content payload, boolean deleted) {
        Draft draft = new Draft(this);
        draft.events.add(new NewEvent(Names.check("event type", type), payload, deleted));
        return new Append(draft);
    }

    /** The one mutable form, alive only inside a method above. */
    private static final class Draft {
        private final EntityRef entity;
        private OptionalLong expecting = OptionalLong.empty();
        private OptionalLong sourceVersion = OptionalLong.empty();
        private Optional<Content> state = Optional.empty();
        private final List<NewEvent> events = new ArrayList<>(1);
        private final Map<String, String> headers = new LinkedHashMap<>();
        private Optional<String> key = Optional.empty();
        private final Set<String> streams = new LinkedHashSet<>();
        private boolean historyOnly;

        Draft(EntityRef entity) {
            this.entity = entity;
        }

        Draft(Append from) {
            entity = from.entity;
            expecting = from.expecting;
            sourceVersion = from.sourceVersion;
            state = from.state;
            events.addAll(from.events);
            headers.putAll(from.headers);
            key = from.key;
            streams.addAll(from.streams);
            historyOnly = from.historyOnly;
        }
    }
}
