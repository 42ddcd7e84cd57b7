// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import dev.fanout.Entity;
import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.spi.Appends;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.Layout;
import dev.fanout.testkit.memory.MemoryDatabase;
import dev.fanout.testkit.memory.MemoryStore;
import dev.fanout.testkit.memory.MemoryTransaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A store for unit tests of code that appends, without a database: build the application's own {@code Fanout} on it, hand
 * any transaction handle to {@code append} (null will do), and look at what was appended.
 *
 * <pre>{@code
 * AppendRecorder<Connection> recorder = AppendRecorder.create();
 * Fanout<Connection> fanout = Fanout.builder(recorder).stream("assets", s -> s.entities("asset")).build();
 *
 * new RenameAsset(fanout).run(null, "42", "pump-7");
 *
 * assertThat(recorder.events()).extracting(Event::type).containsExactly("asset.renamed");
 * }</pre>
 *
 * <p>Each append is a transaction of its own and is committed at once, so versions grow, a wrong expected version is a
 * conflict, and a repeated key answers with the earlier append, as on PostgreSQL. It runs no children: don't start the
 * engine, {@link MemoryStore} is for that. Safe for use by many threads.
 *
 * @param <T> the application's transaction handle
 */
public final class AppendRecorder<T> extends ForwardingStore<T> {

    private final MemoryStore store;
    private final Appends<T> appends = new Recording();
    private final List<EntityRef> entities = Collections.synchronizedList(new ArrayList<>());

    private AppendRecorder(MemoryStore store) {
        super(store);
        this.store = store;
    }

    /**
     * Makes an empty recorder.
     *
     * @param <T> the application's transaction handle
     * @return the recorder
     */
    public static <T> AppendRecorder<T> create() {
        return new AppendRecorder<>(MemoryDatabase.create().connect());
    }

    /**
     * Returns all that was appended.
     *
     * @return the events: entities in the order in which they were first appended to, each with its events by version
     */
    public List<Event> events() {
        synchronized (entities) {
            return entities.stream().flatMap(entity -> events(entity).stream()).toList();
        }
    }

    /**
     * Returns what was appended to one entity.
     *
     * @param entity which entity
     * @return its events by version, empty if there are none
     */
    public List<Event> events(EntityRef entity) {
        return store.database().history(entity);
    }

    @Override
    public Appends<T> appends() {
        return appends;
    }

    @Override
    public Cursors<T> cursors() {
        throw new IllegalStateException(
                "an append recorder has no children: build the engine without them, or use MemoryStore");
    }

    /** Appends in transactions of its own, whatever handle it is given. */
    private final class Recording implements Appends<T> {

        @Override
        public List<Result> append(T tx, List<EntityAppend> batch) {
            List<Result> results = committed(own -> store.appends().append(own, batch));
            synchronized (entities) {
                batch.stream()
                        .map(EntityAppend::entity)
                        .filter(entity -> !entities.contains(entity))
                        .distinct()
                        .forEach(entities::add);
            }
            return results;
        }

        @Override
        public Optional<Entity> find(T tx, EntityRef entity) {
            return committed(own -> store.appends().find(own, entity));
        }

        @Override
        public Optional<Layout> layout(T tx) {
            return committed(own -> store.appends().layout(own));
        }

        @Override
        public <R> R inTransaction(Work<T, R> work) {
            throw new IllegalStateException(
                    "an append recorder makes no transaction handles: call append(tx, ..) with one of the test's own");
        }

        private <R> R committed(Function<MemoryTransaction, R> work) {
            try (MemoryTransaction own = store.database().begin()) {
                R result = work.apply(own);
                own.commit();
                return result;
            }
        }
    }
}
