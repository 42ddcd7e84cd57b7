// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.AppendRefusedException;
import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.spi.Appends.EntityAppend;
import dev.fanout.spi.Appends.NewEvent;
import dev.fanout.spi.Appends.Route;
import dev.fanout.spi.Frontier;
import dev.fanout.spi.Lease;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Outbox.Publication;
import dev.fanout.spi.Outbox.Request;
import dev.fanout.spi.Platform;
import dev.fanout.spi.StreamPartition;
import dev.fanout.spi.Wakes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the contract does not ask: one thread, virtual time, faults, and the memory's own refusals. */
@Timeout(60)
class MemoryStoreTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final StreamPartition PARTITION = new StreamPartition(1, 0);

    private final MemoryDatabase database = MemoryDatabase.create(Clock.fixed(NOW, ZoneOffset.UTC));
    private final Tasks tasks = new Tasks();
    private final MemoryStore store = database.connect(tasks);

    @Test
    void on_one_thread_an_append_that_would_wait_throws_and_may_be_tried_again() {
        MemoryTransaction first = database.begin();
        MemoryTransaction second = database.beginWithoutWaiting();
        append(first, "a");
        assertThatThrownBy(() -> append(second, "a")).isInstanceOf(WouldBlockException.class);
        first.commit();
        append(second, "a");
        second.commit();
        assertThat(database.history(EntityRef.of("asset", "a")))
                .extracting(Event::version)
                .containsExactly(1L, 2L);
    }

    @Test
    void a_transaction_gets_its_id_with_its_first_write() {
        MemoryTransaction reader = database.begin();
        MemoryTransaction writer = database.begin();
        append(writer, "a");
        store.appends().find(reader, EntityRef.of("asset", "a"));
        assertThat(reader.id()).isEqualTo(OptionalLong.empty());
        reader.put("row", "1");
        assertThat(reader.id().orElseThrow()).isGreaterThan(writer.id().orElseThrow());
    }

    @Test
    void outbox_ids_are_not_given_back_by_a_rollback() {
        MemoryTransaction lost = database.begin();
        append(lost, "a");
        lost.rollback();
        commit("b");
        assertThat(publish().placed()).extracting(placed -> placed.id()).containsExactly(2L);
    }

    @Test
    void an_ended_transaction_is_refused() {
        MemoryTransaction ended = database.begin();
        ended.commit();
        ended.rollback();
        assertThatThrownBy(() -> append(ended, "a")).isInstanceOf(AppendRefusedException.class);
        assertThatThrownBy(() -> ended.put("row", "1")).isInstanceOf(AppendRefusedException.class);
        assertThatThrownBy(ended::commit).isInstanceOf(AppendRefusedException.class);
    }

    @Test
    void a_transaction_that_is_closed_without_a_commit_is_rolled_back() {
        try (MemoryTransaction tx = database.begin()) {
            append(tx, "a");
        }
        assertThat(database.history(EntityRef.of("asset", "a"))).isEmpty();
    }

    @Test
    void locks_taken_in_a_circle_are_a_deadlock_for_one_of_the_two() throws Exception {
        MemoryTransaction first = database.begin();
        MemoryTransaction second = database.begin();
        append(first, "a");
        append(second, "b");
        // threads of its own: the common pool may have a single one, and both wait
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<Boolean> one = threads.submit(() -> deadlocks(first, "b"));
            Future<Boolean> two = threads.submit(() -> deadlocks(second, "a"));
            assertThat(List.of(one.get(30, TimeUnit.SECONDS), two.get(30, TimeUnit.SECONDS)))
                    .containsExactlyInAnyOrder(true, false);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void times_are_those_of_the_clock_that_was_given() {
        commit("a");
        LogRecord record = publish().placed().get(0).record().orElseThrow();
        assertThat(record.committedAt()).isEqualTo(NOW);
        assertThat(record.event().occurredAt()).isEqualTo(NOW);
    }

    @Test
    void records_that_were_removed_are_a_hole() {
        commit("a", "b", "c");
        publish();
        database.removeRecords(PARTITION, 1, 2);
        assertThat(store.log().read(PARTITION, 1, 10, 1_000, Duration.ZERO).records())
                .extracting(LogRecord::position)
                .containsExactly(2L);
    }

    @Test
    void wakes_are_handed_on_by_the_platform_of_the_node() {
        Ear ear = new Ear();
        store.wakes().listen(ear);
        assertThat(ear.heard).isEmpty();
        tasks.run();
        commit("a");
        tasks.run();
        assertThat(ear.heard).containsExactly("connected", "appended");
    }

    @Test
    void notifications_that_are_lost_lose_nothing_else() {
        Ear ear = new Ear();
        store.wakes().listen(ear);
        tasks.run();
        database.loseNotifications(true);
        commit("a");
        tasks.run();
        assertThat(ear.heard).containsExactly("connected");
        assertThat(store.outbox().waiting(0)).isEqualTo(1);
        database.loseNotifications(false);
        commit("a");
        tasks.run();
        assertThat(ear.heard).containsExactly("connected", "appended");
    }

    @Test
    void a_connection_that_is_made_again_has_lost_its_lanes_and_what_it_was_about_to_hear() {
        Ear ear = new Ear();
        store.wakes().listen(ear);
        tasks.run();
        commit("a");
        assertThat(store.wakes().hold(0)).isTrue();
        store.reconnect();
        tasks.run();
        assertThat(ear.heard).containsExactly("connected", "connected");
        assertThat(store.wakes().letGo(0)).isEmpty();
    }

    @Test
    void one_lane_is_held_by_one_node() {
        MemoryStore other = database.connect(tasks);
        store.wakes().listen(new Ear());
        other.wakes().listen(new Ear());
        assertThat(store.wakes().hold(0)).isTrue();
        assertThat(store.wakes().hold(0)).isTrue();
        assertThat(other.wakes().hold(0)).isFalse();
        store.wakes().letGo(0);
        assertThat(other.wakes().hold(0)).isTrue();
    }

    @Test
    void a_node_that_does_not_listen_holds_nothing() {
        assertThat(store.wakes().hold(0)).isFalse();
    }

    @Test
    void a_hearer_that_fails_hears_the_next_wake_all_the_same() {
        Ear ear = new Ear();
        ear.failing = true;
        store.wakes().listen(ear);
        assertThatThrownBy(tasks::run).hasMessage("on purpose");
        ear.failing = false;
        commit("a");
        tasks.run();
        assertThat(ear.heard).containsExactly("appended");
    }

    @Test
    void a_store_with_threads_of_its_own_ends_them() {
        MemoryStore own = database.connect();
        own.wakes().listen(new Ear());
        own.close();
        assertThat(own.platform().shutdown(Duration.ZERO)).isTrue();
        commit("a");
    }

    private boolean deadlocks(MemoryTransaction tx, String id) {
        try (tx) {
            append(tx, id);
            tx.commit();
            return false;
        } catch (DeadlockException e) {
            return true;
        }
    }

    private void commit(String... ids) {
        try (MemoryTransaction tx = database.begin()) {
            for (String id : ids) {
                append(tx, id);
            }
            tx.commit();
        }
    }

    private void append(MemoryTransaction tx, String id) {
        Route route = new Route(0, PARTITION.stream(), PARTITION.partition());
        NewEvent event = new NewEvent(UUID.randomUUID(), "asset.changed", "{}", Map.of(), false, List.of(route));
        EntityAppend append = new EntityAppend(
                EntityRef.of("asset", id),
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                List.of(event),
                Optional.empty());
        store.appends().append(tx, List.of(append));
    }

    private Publication publish() {
        Lease lease = store.leases()
                .take("lane/0", 0, store.leases().join("relay", Set.of()))
                .orElseThrow();
        return store.outbox()
                .publish(new Request(lease, 0, Frontier.START, false, true, 100, 1_000, true, Map.of(), false));
    }

    /** Runs what was submitted when the test says so, on the test's thread. */
    private static final class Tasks implements Platform {

        private final Queue<Runnable> submitted = new ArrayDeque<>();

        void run() {
            for (Runnable next = submitted.poll(); next != null; next = submitted.poll()) {
                next.run();
            }
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public void execute(Runnable task) {
            submitted.add(task);
        }

        @Override
        public void executeAll(List<Runnable> tasks, int atOnce) {
            tasks.forEach(Runnable::run);
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            throw new UnsupportedOperationException("a store schedules nothing");
        }

        @Override
        public long random() {
            return 4;
        }

        @Override
        public boolean shutdown(Duration timeout) {
            return submitted.isEmpty();
        }
    }

    private static final class Ear implements Wakes.Hearer {

        private final List<String> heard = new ArrayList<>();
        private boolean failing;

        @Override
        public void appended(int lane) {
            heard.add("appended");
        }

        @Override
        public void published() {
            heard.add("published");
        }

        @Override
        public void released() {
            heard.add("released");
        }

        @Override
        public void connected() {
            if (failing) {
                throw new IllegalStateException("on purpose");
            }
            heard.add("connected");
        }
    }
}
