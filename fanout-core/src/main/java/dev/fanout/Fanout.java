// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import dev.fanout.internal.Engine;
import dev.fanout.internal.EngineBuilder;
import dev.fanout.internal.StoredChildren;
import dev.fanout.internal.StreamDeletion;
import dev.fanout.internal.append.AppendPlan;
import dev.fanout.spi.Appends.Work;
import dev.fanout.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Appends events within the application's transactions, and carries them to derived stores.
 *
 * <pre>{@code
 * Fanout<Connection> fanout = Fanout.builder(PostgresStore.of(dataSource))
 *         .stream("assets", s -> s.entities("asset").partitions(4))
 *         .child("asset-search", c -> c.of("assets").projection(new AssetSearch(client)))
 *         .build();        // appends from here on
 * fanout.start();          // runs relay and cursors; a process that only appends never calls it
 * }</pre>
 *
 * <p>The promise: an event is delivered to every child of its stream if and only if its transaction committed. Effects
 * written in the delivery's own PostgreSQL transaction happen exactly once. Other effects happen at least once, and a
 * repeat always has a recorded cause. Events of one entity are applied in version order, which is the order their
 * transactions committed.
 *
 * <p>Safe for use by many threads.
 *
 * @param <T> the application's transaction handle: {@code java.sql.Connection} for PostgreSQL
 */
public final class Fanout<T> implements AutoCloseable {

    /** How long {@link #close()} waits for running deliveries. */
    public static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final Engine<T> engine;

    private Fanout(Engine<T> engine) {
        this.engine = engine;
    }

    /**
     * Begins to build an engine.
     *
     * @param <T> the store's transaction handle
     * @param store where everything is kept; for one engine, and closed with it
     * @return a builder
     */
    public static <T> Builder<T> builder(Store<T> store) {
        return new Builder<>(Objects.requireNonNull(store, "store"));
    }

    /** Runs relay and cursors on this node until it is closed. Calling it again changes nothing. */
    public void start() {
        engine.start();
    }

    /**
     * Appends to one entity, in one round trip, within the application's transaction. What it writes is there if and
     * only if that transaction commits. It opens no connection, never commits and never retries, and waits for
     * nothing but the entity's lock.
     *
     * @param tx the application's live transaction
     * @param append what to append
     * @return what was written
     * @throws VersionConflictException if the entity has another version than expected; nothing was written
     * @throws AppendRefusedException if it can't be appended as asked, or there is no live transaction that can write
     */
    public Appended append(T tx, Append append) {
        return append(tx, List.of(Objects.requireNonNull(append, "append"))).get(0);
    }

    /**
     * Appends to many entities, in one round trip. Entities are locked in a fixed order, so two batches can't deadlock.
     *
     * @param tx the application's live transaction
     * @param batch what to append; one entity may occur many times
     * @return what was written, for each append of the batch in its order
     * @throws VersionConflictException if an entity has another version than expected; nothing of the batch was written
     * @throws AppendRefusedException if it can't be appended as asked, or there is no live transaction that can write
     */
    public List<Appended> append(T tx, List<Append> batch) {
        AppendPlan plan = AppendPlan.of(
                complete(batch),
                engine.routes(tx),
                engine.parts().codec(),
                engine.parts().settings().payloadBytes(),
                engine.store().platform());
        List<Appended> appended = plan.appended(engine.store().appends().append(tx, plan.inLockOrder()));
        engine.appended(false);
        return appended;
    }

    private static List<Append> complete(List<Append> batch) {
        Objects.requireNonNull(batch, "batch");
        for (int i = 0; i < batch.size(); i++) {
            if (batch.get(i) == null) {
                throw new NullPointerException("append " + i + " of the batch");
            }
        }
        return batch;
    }

    /**
     * Runs work in a transaction of its own and commits it. Unlike with a transaction of the application's, the moment
     * of the commit is known here, so that this process's relay looks at once.
     *
     * @param <R> what the work returns
     * @param work what to do; what it throws rolls the transaction back
     * @return what the work returned
     * @throws Exception what the work threw
     */
    public <R> R inTransaction(Work<T, R> work) throws Exception {
        R result = engine.store().appends().inTransaction(Objects.requireNonNull(work, "work"));
        engine.appended(true);
        return result;
    }

    /**
     * Tells that a transaction with appends has committed, where the application can know it (a callback after
     * commit). Only saves this process's relay a moment; nothing depends on it.
     */
    public void committed() {
        engine.appended(true);
    }

    /**
     * Reads an entity of the default tenant as the transaction sees it.
     *
     * @param tx the application's transaction
     * @param type the entity's type
     * @param id the entity's id
     * @return the entity, if anything was ever appended to it
     */
    public Optional<Entity> find(T tx, String type, String id) {
        return find(tx, EntityRef.of(type, id));
    }

    /**
     * Reads an entity as the transaction sees it.
     *
     * @param tx the application's transaction
     * @param entity which entity
     * @return the entity, if anything was ever appended to it
     */
    public Optional<Entity> find(T tx, EntityRef entity) {
        return engine.store()
                .appends()
                .find(Objects.requireNonNull(tx, "tx"), Objects.requireNonNull(entity, "entity"));
    }

    /**
     * Waits until a child has applied what was appended. The append's transaction must have committed. A child that was
     * attached at the tail never applies what was published before: to wait for that is to time out, each time.
     *
     * @param child a declared child
     * @param appended what an append returned
     * @param timeout how long to wait at the most
     * @return what became of it
     * @throws IllegalArgumentException if the child is not declared
     */
    public Applied awaitApplied(String child, Appended appended, Duration timeout) {
        return engine.awaiting()
                .applied(
                        Objects.requireNonNull(child, "child"),
                        Objects.requireNonNull(appended, "appended"),
                        Objects.requireNonNull(timeout, "timeout"));
    }

    /**
     * Reads how far everything is. Counts the outbox row by row: for people and tests, not for loops.
     *
     * @return the distances at this moment
     * @throws StoreUnavailableException if the database can't be reached
     */
    public Status status() {
        return engine.status();
    }

    /**
     * Returns the way to attach and detach children while the engine runs, and to see to parked events.
     *
     * @return the children
     */
    public Children<T> children() {
        return new StoredChildren<>(engine);
    }

    /**
     * Deletes a stream that nothing is appended to any more: detaches its children and the child that publishes to it, then
     * removes its records in bounded batches, then the stream. Its events stay in the history. Interrupted by a failure, it can
     * be called again.
     *
     * <p>Take the stream out of every process's declarations first: one that still declares it makes it anew at its next start,
     * and what it appends until then reaches no child (the sweep says so in a warning).
     *
     * @param name the stream's name
     * @throws DeletionRefusedException if there is no such stream, this process declares it, other streams hang on it, or events
     *     for it wait in the outbox
     * @throws StoreUnavailableException if the database can't be reached
     */
    public void deleteStream(String name) {
        new StreamDeletion<>(engine).delete(name);
    }

    /** Closes, waiting up to {@link #CLOSE_TIMEOUT} for running deliveries. */
    @Override
    public void close() {
        close(CLOSE_TIMEOUT);
    }

    /**
     * Closes: takes no new work, lets running deliveries end, gives leases back so that other nodes take over at once,
     * and ends connections and threads. Calling it again changes nothing; a second caller waits for the first.
     *
     * <p>A database that does not answer makes it take up to three seconds longer than the timeout, and no more.
     *
     * @param timeout how long running deliveries may take; zero or less waits for none
     * @return whether all had ended in time; those that had not are interrupted, and their events come again elsewhere
     */
    public boolean close(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        return engine.close(timeout);
    }

    /**
     * Collects the declarations of an engine. Not safe for use by many threads.
     *
     * @param <T> the store's transaction handle
     */
    public static final class Builder<T> {

        private final EngineBuilder<T> parts;

        private Builder(Store<T> store) {
            this.parts = new EngineBuilder<>(store);
        }

        /**
         * Declares a stream.
         *
         * @param name the stream's name
         * @param spec says what it carries and in how many partitions
         * @return this builder
         * @throws IllegalArgumentException if a name or number is invalid
         * @throws StartRefusedException if the name is taken
         */
        public Builder<T> stream(String name, UnaryOperator<StreamSpec> spec) {
            parts.add(Objects.requireNonNull(
                    spec.apply(StreamSpec.named(name)), () -> "the spec of stream " + name + " returned null"));
            return this;
        }

        /**
         * Declares a child.
         *
         * @param name the child's name
         * @param spec says what it hangs on and what it drives
         * @return this builder
         * @throws IllegalArgumentException if a name is invalid
         * @throws StartRefusedException if the name is taken, or its stream or projection is missing
         */
        public Builder<T> child(String name, UnaryOperator<ChildSpec<T>> spec) {
            parts.add(Objects.requireNonNull(
                    spec.apply(ChildSpec.named(name)), () -> "the spec of child " + name + " returned null"));
            return this;
        }

        /**
         * Registers a function that children can filter by ({@link ChildSpec#filter(String)}). Its name is what is stored
         * and shown; it must decide alike in every process that runs the child, and fast: it is called for every event
         * of the stream, on the thread that delivers. One that throws has failed for that event, like a projection would.
         *
         * @param name the function's name
         * @param passes decides whether an event passes; safe for use by many threads
         * @return this builder
         * @throws IllegalArgumentException if the name is invalid
         * @throws StartRefusedException if the name is taken
         */
        public Builder<T> filter(String name, Predicate<Event> passes) {
            parts.filter(Names.check("filter", name), Objects.requireNonNull(passes, "passes"));
            return this;
        }

        /**
         * Sets the engine's numbers.
         *
         * @param settings the numbers; {@link Settings#defaults()} if never called
         * @return this builder
         */
        public Builder<T> settings(Settings settings) {
            parts.settings(Objects.requireNonNull(settings, "settings"));
            return this;
        }

        /**
         * Sets what encodes and decodes documents.
         *
         * @param codec the codec; Jackson 3 or 2, as found on the class path, if never called
         * @return this builder
         */
        public Builder<T> codec(Codec codec) {
            parts.codec(Objects.requireNonNull(codec, "codec"));
            return this;
        }

        /**
         * Sets who hears of everything that an operator would count.
         *
         * @param listener the listener; nobody if never called
         * @return this builder
         */
        public Builder<T> listener(FanoutListener listener) {
            parts.listener(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * Names this node, for people.
         *
         * @param name the name; random if never called
         * @return this builder
         */
        public Builder<T> nodeName(String name) {
            parts.nodeName(Names.check("node", name));
            return this;
        }

        /**
         * Builds the engine. If the database is there, the schema is brought up and the declarations are checked now;
         * if it isn't, that happens in the background as soon as it is, and the application goes on. Waits ten seconds for a
         * database that can't be reached, and half a minute for one that answers slowly.
         *
         * @return the engine, appending but not running
         * @throws StartRefusedException if the declarations contradict each other, or what is stored
         */
        public Fanout<T> build() {
            return new Fanout<>(parts.build());
        }
    }
}
