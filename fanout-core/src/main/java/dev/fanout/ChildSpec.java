// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Declares a child: the stream that it hangs on, and the projection that it drives. Immutable.
 *
 * @param <T> the transaction handle of the store
 */
public final class ChildSpec<T> {

    /** How a child keeps older events from overwriting newer ones. */
    public enum Kind {
        /** The library's gate alone, written with the cursor after the acknowledgement. */
        PLAIN,
        /** The derived store compares versions itself, so not even a write delayed out of our sight can win. */
        SELF_GATED,
        /** Effect, gate and cursor in one transaction of the primary: exactly once. */
        TRANSACTIONAL
    }

    private final String name;
    private final @Nullable String stream;
    private final @Nullable Kind kind;
    private final @Nullable Projection projection;
    private final @Nullable TransactionalProjection<T> transactional;
    private final boolean fromBeginning;

    private ChildSpec(
            String name,
            @Nullable String stream,
            @Nullable Kind kind,
            @Nullable Projection projection,
            @Nullable TransactionalProjection<T> transactional,
            boolean fromBeginning) {
        this.name = name;
        this.stream = stream;
        this.kind = kind;
        this.projection = projection;
        this.transactional = transactional;
        this.fromBeginning = fromBeginning;
    }

    /**
     * Begins a declaration.
     *
     * @param <T> the transaction handle of the store
     * @param name the child's name; its cursor, gate and leases are kept under it
     * @return the declaration
     * @throws IllegalArgumentException if the name is invalid
     */
    public static <T> ChildSpec<T> named(String name) {
        return new ChildSpec<>(Names.check("child", name), null, null, null, null, false);
    }

    /**
     * Sets the stream that the child hangs on.
     *
     * @param parent a declared stream
     * @return the declaration
     * @throws IllegalArgumentException if the name is invalid
     */
    public ChildSpec<T> of(String parent) {
        return new ChildSpec<>(name, Names.check("stream", parent), kind, projection, transactional, fromBeginning);
    }

    /**
     * Drives a projection into a foreign store that can't compare versions.
     *
     * @param plain the projection
     * @return the declaration
     */
    public ChildSpec<T> projection(Projection plain) {
        return driving(Kind.PLAIN, Objects.requireNonNull(plain, "projection"), null);
    }

    /**
     * Drives a projection into a foreign store that compares {@link Event#gateVersion()} itself and refuses older
     * writes (external versioning, a compare-and-set script, {@code WHERE version < ?}). The strongest form for a
     * store outside the database.
     *
     * @param selfGated the projection
     * @return the declaration
     */
    public ChildSpec<T> selfGated(Projection selfGated) {
        return driving(Kind.SELF_GATED, Objects.requireNonNull(selfGated, "projection"), null);
    }

    /**
     * Drives a projection into derived rows of the same database.
     *
     * @param inTransaction the projection
     * @return the declaration
     */
    public ChildSpec<T> transactional(TransactionalProjection<T> inTransaction) {
        return driving(Kind.TRANSACTIONAL, null, Objects.requireNonNull(inTransaction, "projection"));
    }

    /**
     * Starts with the oldest kept record of the stream when the child is attached for the first time. By default it
     * starts at the tail: with what is published from then on.
     *
     * @return the declaration
     */
    public ChildSpec<T> fromBeginning() {
        return new ChildSpec<>(name, stream, kind, projection, transactional, true);
    }

    /**
     * Returns the child's name.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Returns the stream that the child hangs on.
     *
     * @return the stream's name, or null before {@link #of}
     */
    public @Nullable String stream() {
        return stream;
    }

    /**
     * Returns how older events are kept out.
     *
     * @return the kind, or null before a projection was given
     */
    public @Nullable Kind kind() {
        return kind;
    }

    /**
     * Returns the projection of a plain or self-gated child.
     *
     * @return the projection, or null for a transactional child
     */
    public @Nullable Projection projection() {
        return projection;
    }

    /**
     * Returns the projection of a transactional child.
     *
     * @return the projection, or null for any other child
     */
    public @Nullable TransactionalProjection<T> transactional() {
        return transactional;
    }

    /**
     * Returns where a first attachment starts.
     *
     * @return true for the oldest kept record, false for the tail
     */
    public boolean isFromBeginning() {
        return fromBeginning;
    }

    private ChildSpec<T> driving(
            Kind how, @Nullable Projection plain, @Nullable TransactionalProjection<T> inTransaction) {
        if (kind != null) {
            throw new IllegalArgumentException("child " + name + " already drives a projection; declare another child");
        }
        return new ChildSpec<>(name, stream, how, plain, inTransaction, fromBeginning);
    }
}
