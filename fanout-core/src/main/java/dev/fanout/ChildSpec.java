// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Declares a child: the stream that it hangs on, what it drives, and what of the stream it gets. Immutable.
 *
 * @param <T> the transaction handle of the store
 */
public final class ChildSpec<T> {

    /** The longest delay of a child. */
    public static final Duration LONGEST_DELAY = Duration.ofDays(365);

    /** What a child drives, and how it keeps older events from overwriting newer ones. */
    public enum Kind {
        /** A projection behind the library's gate alone, written with the cursor after the acknowledgement. */
        PLAIN,
        /** A projection whose store compares versions itself, so not even a write delayed out of our sight can win. */
        SELF_GATED,
        /** A projection whose effect, gate and cursor are one transaction of the primary: exactly once. */
        TRANSACTIONAL,
        /** Another stream, published to in the transaction that moves the cursor. */
        STREAM
    }

    private final String name;
    private @Nullable String stream;
    private @Nullable Kind kind;
    private @Nullable Projection projection;
    private @Nullable TransactionalProjection<T> transactional;
    private @Nullable String target;
    private boolean fromBeginning;
    private Duration delay = Duration.ZERO;
    private @Nullable Filter filter;
    private @Nullable String filterFunction;
    private int concurrency = 1;
    private boolean latestOnly;

    private ChildSpec(String name) {
        this.name = name;
    }

    private ChildSpec(ChildSpec<T> other) {
        this.name = other.name;
        this.stream = other.stream;
        this.kind = other.kind;
        this.projection = other.projection;
        this.transactional = other.transactional;
        this.target = other.target;
        this.fromBeginning = other.fromBeginning;
        this.delay = other.delay;
        this.filter = other.filter;
        this.filterFunction = other.filterFunction;
        this.concurrency = other.concurrency;
        this.latestOnly = other.latestOnly;
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
        return new ChildSpec<>(Names.check("child", name));
    }

    /**
     * Sets the stream that the child hangs on.
     *
     * @param parent a declared stream
     * @return the declaration
     * @throws IllegalArgumentException if the name is invalid
     */
    public ChildSpec<T> of(String parent) {
        ChildSpec<T> copy = new ChildSpec<>(this);
        copy.stream = Names.check("stream", parent);
        return copy;
    }

    /**
     * Drives a projection into a foreign store that can't compare versions.
     *
     * @param plain the projection
     * @return the declaration
     */
    public ChildSpec<T> projection(Projection plain) {
        ChildSpec<T> copy = driving(Kind.PLAIN);
        copy.projection = Objects.requireNonNull(plain, "projection");
        return copy;
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
        ChildSpec<T> copy = driving(Kind.SELF_GATED);
        copy.projection = Objects.requireNonNull(selfGated, "projection");
        return copy;
    }

    /**
     * Drives a projection into derived rows of the same database.
     *
     * @param inTransaction the projection
     * @return the declaration
     */
    public ChildSpec<T> transactional(TransactionalProjection<T> inTransaction) {
        ChildSpec<T> copy = driving(Kind.TRANSACTIONAL);
        copy.transactional = Objects.requireNonNull(inTransaction, "projection");
        return copy;
    }

    /**
     * Publishes to another stream, in the transaction that moves the cursor: no loss and no repeat. The other stream has
     * partitions of its own, takes no appends, and has no other parent.
     *
     * @param child a declared stream
     * @return the declaration
     * @throws IllegalArgumentException if the name is invalid
     */
    public ChildSpec<T> stream(String child) {
        ChildSpec<T> copy = driving(Kind.STREAM);
        copy.target = Names.check("stream", child);
        return copy;
    }

    /**
     * Starts with the oldest kept record of the stream when the child is attached for the first time. By default it
     * starts at the tail: with what is published from then on.
     *
     * @return the declaration
     */
    public ChildSpec<T> fromBeginning() {
        ChildSpec<T> copy = new ChildSpec<>(this);
        copy.fromBeginning = true;
        return copy;
    }

    /**
     * Delivers each record that long after it was published, by the database's clock: never earlier, and usually within a
     * second. The stream keeps its records for at least an hour longer than the longest delay of its children.
     *
     * @param after how long, up to {@link #LONGEST_DELAY}
     * @return the declaration
     * @throws IllegalArgumentException if it is negative or too long
     */
    public ChildSpec<T> delay(Duration after) {
        if (after.isNegative() || after.compareTo(LONGEST_DELAY) > 0) {
            throw new IllegalArgumentException(
                    "child " + name + ": delay " + after + "; use zero to " + LONGEST_DELAY.toDays() + " days");
        }
        ChildSpec<T> copy = new ChildSpec<>(this);
        copy.delay = after;
        return copy;
    }

    /**
     * Delivers only what a filter lets through; the rest is counted as filtered. A changed filter holds for what is
     * examined from then on: what it now lets through and was examined before does not come again.
     *
     * @param passing the filter
     * @return the declaration
     * @throws IllegalArgumentException if there is one already
     */
    public ChildSpec<T> filter(Filter passing) {
        if (filter != null) {
            throw new IllegalArgumentException("child " + name + " already has the filter: " + filter
                    + "; put all conditions into one, they are combined by and");
        }
        ChildSpec<T> copy = new ChildSpec<>(this);
        copy.filter = Objects.requireNonNull(passing, "filter");
        return copy;
    }

    /**
     * Delivers only what a registered function lets through ({@link Fanout.Builder#filter}); the rest is counted as
     * filtered. Where the child has a declarative filter too, an event has to pass both, and the function sees only what
     * that one lets through.
     *
     * @param function the function's name
     * @return the declaration
     * @throws IllegalArgumentException if the name is invalid, or there is a function already
     */
    public ChildSpec<T> filter(String function) {
        Names.check("filter", function);
        if (filterFunction != null) {
            throw new IllegalArgumentException("child " + name + " already has the filter function '" + filterFunction
                    + "'; register one that does the work of both");
        }
        ChildSpec<T> copy = new ChildSpec<>(this);
        copy.filterFunction = function;
        return copy;
    }

    /**
     * Calls the projection for several entities of a partition at once, each with its events in order. The projection must
     * be safe for use by many threads. Not for a transactional projection, whose partition is one transaction: give its
     * stream more partitions.
     *
     * @param calls how many calls at a time, 1 to 256
     * @return the declaration
     * @throws IllegalArgumentException if the number is out of range
     */
    public ChildSpec<T> concurrency(int calls) {
        if (calls < 1 || calls > 256) {
            throw new IllegalArgumentException("child " + name + ": concurrency " + calls + "; use 1 to 256");
        }
        ChildSpec<T> copy = new ChildSpec<>(this);
        copy.concurrency = calls;
        return copy;
    }

    /**
     * Delivers only the newest event of each entity among those examined together; those that it supersedes are counted as
     * gated. For a projection that needs the last state and not the way to it: every event must carry the whole of it. Which
     * ones are skipped depends on how far the child is behind; the newest one, a tombstone included, never is.
     *
     * @return the declaration
     */
    public ChildSpec<T> latestOnly() {
        ChildSpec<T> copy = new ChildSpec<>(this);
        copy.latestOnly = true;
        return copy;
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
     * Returns what the child drives.
     *
     * @return the kind, or null before it was said
     */
    public @Nullable Kind kind() {
        return kind;
    }

    /**
     * Returns the projection of a plain or self-gated child.
     *
     * @return the projection, or null for any other child
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
     * Returns the stream that the child publishes to.
     *
     * @return the stream's name, or null for any other child
     */
    public @Nullable String target() {
        return target;
    }

    /**
     * Returns where a first attachment starts.
     *
     * @return true for the oldest kept record, false for the tail
     */
    public boolean isFromBeginning() {
        return fromBeginning;
    }

    /**
     * Returns how old a record must be.
     *
     * @return the delay, zero for none
     */
    public Duration delay() {
        return delay;
    }

    /**
     * Returns what lets events through, in words.
     *
     * @return the filter, or null if there is none
     */
    public @Nullable Filter filter() {
        return filter;
    }

    /**
     * Returns which registered function lets events through.
     *
     * @return the function's name, or null if there is none
     */
    public @Nullable String filterFunction() {
        return filterFunction;
    }

    /**
     * Returns how many calls are made at a time.
     *
     * @return the number per partition
     */
    public int concurrency() {
        return concurrency;
    }

    /**
     * Returns whether superseded events are skipped.
     *
     * @return true if only the newest event of each entity is delivered
     */
    public boolean isLatestOnly() {
        return latestOnly;
    }

    private ChildSpec<T> driving(Kind how) {
        if (kind != null) {
            throw new IllegalArgumentException("child " + name + " already drives a "
                    + (kind == Kind.STREAM ? "stream" : "projection") + "; declare another child");
        }
        ChildSpec<T> copy = new ChildSpec<>(this);
        copy.kind = how;
        return copy;
    }
}
