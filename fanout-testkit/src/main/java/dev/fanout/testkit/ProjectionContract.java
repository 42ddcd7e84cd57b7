// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What a projection must do so that its store ends up right, as tests: extend it, and say how your store is made, read
 * and broken.
 *
 * <pre>{@code
 * class AssetSearchContractTest extends ProjectionContract {
 *     protected Projection projection() { return search = new AssetSearch(emptyIndex()); }
 *     protected Event event(EntityRef entity, long version) { return Events.of(entity, version, "asset.renamed", ...); }
 *     protected Object read(EntityRef entity) { return search.find(entity.id()); }
 *     protected Object readAll() { return search.count(); }
 *     protected void breakStore() { index.makeReadOnly(); }
 *     protected void mendStore() { index.makeWritable(); }
 * }
 * }</pre>
 *
 * <p>A self-gated projection is called with events in any order, since its store compares versions itself. Any other is
 * called as the engine would, behind a gate: say so with {@link #selfGated()}.
 *
 * <p>A transactional projection is tested through a small {@link Projection} that opens a transaction, calls it, and
 * commits.
 */
public abstract class ProjectionContract {

    private static final EntityRef PUMP = EntityRef.of("asset", "pump");
    private static final EntityRef VALVE = EntityRef.of("asset", "valve");

    private final Map<EntityRef, Long> gate = new HashMap<>();

    /** Makes the contract. */
    protected ProjectionContract() {}

    /**
     * Makes the projection on an empty store.
     *
     * @return the projection
     */
    protected abstract Projection projection();

    /**
     * Makes an event that the projection understands, with other content for each version.
     *
     * @param entity which entity; its type is {@code asset}, use another where yours differs
     * @param version the version that it made
     * @return the event
     */
    protected abstract Event event(EntityRef entity, long version);

    /**
     * Makes the event that ends an entity.
     *
     * @param entity which entity
     * @param version the version that it made
     * @return the tombstone; {@link Events#tombstone} unless yours differs
     */
    protected Event tombstone(EntityRef entity, long version) {
        return Events.tombstone(entity, version);
    }

    /**
     * Reads what the derived store shows of an entity.
     *
     * @param entity which entity
     * @return anything that compares by value; null if the store shows nothing
     */
    protected abstract @Nullable Object read(EntityRef entity);

    /**
     * Reads what the derived store shows as a whole: counts, sums, the number of documents.
     *
     * @return anything that compares by value
     */
    protected abstract Object readAll();

    /** Makes the derived store refuse writes, as it does when it is down. */
    protected abstract void breakStore();

    /** Makes it take writes again. */
    protected abstract void mendStore();

    /**
     * Says whether the store compares versions itself.
     *
     * @return true unless overridden
     */
    protected boolean selfGated() {
        return true;
    }

    @Test
    void a_newer_event_replaces_an_older_one() throws Exception {
        Projection projection = projection();
        deliver(projection, event(PUMP, 1));
        Object first = read(PUMP);
        deliver(projection, event(PUMP, 2));
        assertThat(first).as("what the store shows after version 1").isNotNull();
        assertThat(read(PUMP))
                .as("what the store shows after version 2")
                .isNotNull()
                .isNotEqualTo(first);
    }

    @Test
    void whatever_the_order_of_arrival_the_newest_version_wins() throws Exception {
        List<Event> history = List.of(event(PUMP, 1), event(PUMP, 2), event(PUMP, 3));
        Object expected = after(history);
        for (List<Event> order : permutations(history)) {
            assertThat(after(order)).as("after versions %s", versions(order)).isEqualTo(expected);
        }
    }

    @Test
    void a_stale_write_after_a_newer_one_changes_nothing() throws Exception {
        Projection projection = projection();
        deliver(projection, event(PUMP, 3));
        Object newest = read(PUMP);
        for (long stale = 1; stale <= 3; stale++) {
            deliver(projection, event(PUMP, stale));
            assertThat(read(PUMP)).as("after version 3, then version %s", stale).isEqualTo(newest);
        }
    }

    @Test
    void a_repeat_changes_nothing() throws Exception {
        Projection projection = projection();
        List<Event> history = List.of(event(PUMP, 1), event(VALVE, 1), event(PUMP, 2));
        deliverAll(projection, history);
        Object pump = read(PUMP);
        Object all = readAll();
        for (Event event : history) {
            redeliver(projection, event);
        }
        assertThat(read(PUMP)).as("what the store shows after a repeat").isEqualTo(pump);
        assertThat(readAll()).as("the store as a whole after a repeat").isEqualTo(all);
    }

    @Test
    void a_tombstone_removes_the_entity_and_a_late_event_does_not_bring_it_back() throws Exception {
        Projection projection = projection();
        deliverAll(projection, List.of(event(VALVE, 1), event(PUMP, 1)));
        deliver(projection, tombstone(PUMP, 3));
        assertThat(read(PUMP)).as("after the tombstone").isNull();
        deliver(projection, event(PUMP, 2));
        assertThat(read(PUMP)).as("after a version older than the tombstone").isNull();
        assertThat(read(VALVE)).as("another entity").isNotNull();
        deliver(projection, event(PUMP, 4));
        assertThat(read(PUMP)).as("after a version newer than the tombstone").isNotNull();
    }

    @Test
    void a_reset_empties_the_store_and_a_replay_fills_it_again() throws Exception {
        Projection projection = projection();
        List<Event> history =
                List.of(event(PUMP, 1), event(VALVE, 1), event(PUMP, 2), tombstone(VALVE, 2), event(VALVE, 3));
        deliverAll(projection, history);
        Object pump = read(PUMP);
        Object valve = read(VALVE);
        Object all = readAll();
        projection.reset();
        gate.clear();
        assertThat(read(PUMP)).as("after the reset").isNull();
        deliverAll(projection, history);
        assertThat(read(PUMP)).as("after the replay").isEqualTo(pump);
        assertThat(read(VALVE)).as("after the replay").isEqualTo(valve);
        assertThat(readAll()).as("the store as a whole after the replay").isEqualTo(all);
    }

    @Test
    void a_store_that_fails_is_reported_and_the_event_can_come_again() throws Exception {
        Projection projection = projection();
        deliver(projection, event(PUMP, 1));
        breakStore();
        assertThat(isAcknowledged(projection, event(PUMP, 2)))
                .as("acknowledged although the store took nothing")
                .isFalse();
        mendStore();
        deliver(projection, event(PUMP, 2));
        Object pump = read(PUMP);
        assertThat(pump).isEqualTo(after(List.of(event(PUMP, 1), event(PUMP, 2))));
    }

    private @Nullable Object after(List<Event> order) throws Exception {
        gate.clear();
        deliverAll(projection(), order);
        return read(PUMP);
    }

    private void deliverAll(Projection projection, List<Event> events) throws Exception {
        for (Event event : events) {
            deliver(projection, event);
        }
    }

    private void deliver(Projection projection, Event event) throws Exception {
        if (selfGated() || event.version() > gate.getOrDefault(event.entity(), 0L)) {
            redeliver(projection, event);
            gate.merge(event.entity(), event.version(), Math::max);
        }
    }

    /** As after a crash between the effect and the cursor: the gate was not written. */
    private static void redeliver(Projection projection, Event event) throws Exception {
        Outcome outcome = projection.apply(event);
        assertThat(outcome.acknowledged())
                .as("%s of version %s of %s", outcome, event.version(), event.entity())
                .isTrue();
    }

    private static boolean isAcknowledged(Projection projection, Event event) {
        try {
            return projection.apply(event).acknowledged();
        } catch (Exception reported) {
            return false;
        }
    }

    private static List<Long> versions(List<Event> events) {
        return events.stream().map(Event::version).toList();
    }

    private static List<List<Event>> permutations(List<Event> events) {
        if (events.size() <= 1) {
            return List.of(events);
        }
        List<List<Event>> all = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            List<Event> rest = new ArrayList<>(events);
            Event first = rest.remove(i);
            for (List<Event> tail : permutations(rest)) {
                List<Event> one = new ArrayList<>(List.of(first));
                one.addAll(tail);
                all.add(one);
            }
        }
        return all;
    }
}
