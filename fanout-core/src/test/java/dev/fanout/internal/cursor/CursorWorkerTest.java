// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import static dev.fanout.internal.cursor.Records.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.ChildSpec;
import dev.fanout.FanoutListener;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import dev.fanout.Settings;
import dev.fanout.internal.TestPlatform;
import dev.fanout.internal.await.Waits;
import dev.fanout.internal.cursor.ListedStore.ListedCursors;
import dev.fanout.internal.cursor.ListedStore.ListedLog;
import dev.fanout.internal.node.Ownership;
import dev.fanout.internal.step.Activity;
import dev.fanout.internal.step.Backoff;
import dev.fanout.internal.step.Outages;
import dev.fanout.spi.Cursors.Aside;
import dev.fanout.spi.Cursors.Blocked;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Cursors.Cursor;
import dev.fanout.spi.Cursors.Parking;
import dev.fanout.spi.Layout.Attachment;
import dev.fanout.spi.Lease;
import dev.fanout.spi.StreamPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CursorWorkerTest {

    private static final StreamPartition AT = new StreamPartition(1, 0);
    private static final Lease LEASE = new Lease("child/search/0", 1, 1);

    private final TestPlatform platform = new TestPlatform();
    private final Settings settings =
            Settings.defaults().retryBackoff(Duration.ofSeconds(10)).slabRecords(4);
    private final Slabs slabs = new Slabs(settings);
    private final ListedStore store = new ListedStore(platform);
    private final ListedLog log = store.log;
    private final ListedCursors ledger = store.cursors;
    private final List<String> told = new ArrayList<>();
    private final List<Long> delivered = new ArrayList<>();
    private boolean holds = true;
    private boolean lost;
    private boolean leavesFlag;
    private Outcome answer = Outcome.applied();
    private Duration delay = Duration.ZERO;

    @Test
    void all_that_is_in_the_log_is_delivered_in_order_and_the_cursor_stands_behind_it() {
        log.add(9);
        start();

        assertThat(delivered).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        assertThat(ledger.stored.position()).isEqualTo(9);
        assertThat(ledger.stored.counts()).isEqualTo(new Counts(9, 0, 0, 0, 0, 0, 0));
        assertThat(ledger.gates).isEqualTo(Map.of(1L, 9L));
    }

    @Test
    void a_cursor_at_the_tail_takes_from_memory_what_this_node_published_and_asks_the_log_no_more() {
        start();
        int reads = log.reads;

        for (long position = 0; position < 20; position++) {
            slabs.published(AT, position + 1, List.of(record(position, 1, position + 1)));
            platform.settle();
        }

        assertThat(delivered).hasSize(20);
        assertThat(log.reads).isEqualTo(reads);
    }

    @Test
    void a_record_that_can_not_be_read_holds_up_only_what_is_behind_it_and_is_told_as_a_failure_of_the_child() {
        log.add(9);
        log.unreadable = 6;
        start();

        assertThat(delivered).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(told).hasSize(1).first().asString().startsWith("failed 1");

        log.unreadable = -1;
        int reads = log.reads;
        log.add(20);
        platform.pass(Duration.ofMinutes(2));

        assertThat(delivered).hasSize(29);
        assertThat(log.reads - reads).as("slabs grow again").isLessThan(12);
    }

    @Test
    void a_child_that_fails_is_left_alone_until_its_pause_is_over_whatever_is_published_meanwhile() {
        answer = Outcome.failed(new IllegalStateException("no"));
        log.add(1);
        start();
        assertThat(delivered).hasSize(1);

        for (int i = 0; i < 40; i++) {
            log.add(1);
            slabs.allGrown();
            platform.pass(Duration.ofMillis(100));
        }
        assertThat(delivered).hasSize(1);
        platform.pass(Duration.ofSeconds(7));
        assertThat(delivered).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void an_interrupt_flag_that_a_projection_leaves_behind_does_not_reach_the_cursors_write() {
        leavesFlag = true;
        log.add(9);
        start();

        assertThat(delivered).hasSize(9);
        assertThat(ledger.stored.position()).isEqualTo(9);
        assertThat(ledger.interrupted).isFalse();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void retry_after_means_after() {
        answer = Outcome.retry(Duration.ofMinutes(5));
        log.add(1);
        start();

        platform.pass(Duration.ofMinutes(4));
        slabs.allGrown();
        platform.settle();
        assertThat(delivered).hasSize(1);
        answer = Outcome.applied();
        platform.pass(Duration.ofMinutes(1));
        assertThat(delivered).containsExactly(1L, 1L);
        assertThat(ledger.stored.position()).isEqualTo(1);
        assertThat(told).contains("failed 1 PT5M");
    }

    @Test
    void a_projection_that_returns_null_failed() {
        log.add(1);
        start(event -> null);

        assertThat(told).hasSize(1).first().asString().startsWith("failed 1 ");
        assertThat(ledger.stored.position()).isZero();
    }

    @Test
    void missing_records_are_passed_over_and_counted() {
        log.records.add(record(5, 1, 6));
        log.records.add(record(8, 1, 9));
        start();

        assertThat(delivered).containsExactly(6L, 9L);
        assertThat(ledger.stored).isEqualTo(new Cursor(2, 9, new Counts(2, 0, 0, 0, 0, 0, 7)));
        assertThat(told).contains("lost 5", "lost 2");
    }

    @Test
    void a_worker_that_may_not_use_its_lease_delivers_nothing() {
        holds = false;
        log.add(3);
        start();
        platform.pass(Duration.ofSeconds(5));
        assertThat(delivered).isEmpty();

        holds = true;
        platform.pass(settings.reconcileInterval());
        assertThat(delivered).hasSize(3);
    }

    @Test
    void a_fenced_write_ends_the_work() {
        log.add(3);
        ledger.fenced = true;
        CursorWorker<Object> worker = start();

        assertThat(lost).isTrue();
        assertThat(told).contains("fenced");
        assertThat(worker.position()).isZero();
    }

    @Test
    void a_ledger_that_has_forgotten_is_read_again_and_the_events_come_again() {
        log.add(2);
        start();
        ledger.stored = new Cursor(1, 1, new Counts(1, 0, 0, 0, 0, 0, 0));
        ledger.gates.put(1L, 1L);
        log.add(1);
        slabs.allGrown();
        platform.settle();

        assertThat(told).contains("reloaded");
        assertThat(delivered).containsExactly(1L, 2L, 3L, 2L, 3L);
        assertThat(ledger.stored.position()).isEqualTo(3);
    }

    @Test
    void a_read_that_failed_is_not_taken_for_the_end_of_the_log() {
        start();
        slabs.published(AT, 0, List.of());
        log.add(1);
        log.down = true;
        slabs.allGrown();
        platform.settle();
        log.down = false;
        platform.pass(Duration.ofSeconds(1));

        assertThat(delivered).containsExactly(1L);
    }

    @Test
    void a_record_that_is_not_due_is_waited_for_with_one_look_whatever_is_published_meanwhile() {
        delay = Duration.ofSeconds(20);
        log.add(1);
        start();
        assertThat(log.reads).isEqualTo(1);

        for (int i = 0; i < 19; i++) {
            log.add(1);
            slabs.allGrown();
            platform.pass(Duration.ofSeconds(1));
        }
        assertThat(log.reads).isEqualTo(1);
        assertThat(delivered).isEmpty();
        platform.pass(Duration.ofSeconds(1));
        assertThat(delivered).containsExactly(1L, 2L);
    }

    @Test
    void a_record_that_is_due_in_an_hour_is_looked_for_every_thirty_seconds() {
        delay = Duration.ofHours(1);
        log.add(1);
        start();
        platform.pass(Duration.ofMinutes(10));

        assertThat(log.reads).isEqualTo(21);
        assertThat(delivered).isEmpty();
    }

    @Test
    void an_event_that_the_projection_gives_up_is_set_aside_with_all_behind_it_and_others_flow() {
        log.records.addAll(List.of(record(0, 1, 1), record(1, 2, 1), record(2, 1, 2), record(3, 2, 2)));
        start(event -> {
            delivered.add(event.version());
            return event.entity().id().equals("a1") ? Outcome.park("odd") : Outcome.applied();
        });

        assertThat(ledger.stored.position()).isEqualTo(4);
        assertThat(ledger.stored.counts()).isEqualTo(new Counts(2, 0, 0, 0, 2, 0, 0));
        assertThat(ledger.gates).isEqualTo(Map.of(2L, 2L));
        assertThat(ledger.parking).flatExtracting(Parking::blocked).containsExactly(new Blocked(1, 1, "odd", 1));
        assertThat(ledger.parking)
                .flatExtracting(Parking::parked)
                .containsExactly(new Aside(1, 1, 0), new Aside(1, 2, 2));
    }

    private CursorWorker<Object> start() {
        return start(event -> {
            delivered.add(event.version());
            if (leavesFlag) {
                Thread.currentThread().interrupt();
            }
            return answer;
        });
    }

    private CursorWorker<Object> start(Projection projection) {
        Activity[] activity = new Activity[1];
        Listener listener = new Listener();
        CursorWorker<Object> worker = new CursorWorker<>(
                LEASE,
                new Attachment(1, "search", 1, "e", false, delay),
                AT,
                store,
                new Drive<>(
                        ChildSpec.<Object>named("search").of("assets").projection(projection),
                        Passing.ALL,
                        new Health(),
                        null),
                new Surroundings(slabs, settings, listener, new Owner(), new Waits(), platform),
                () -> activity[0].signal());
        activity[0] = new Activity(
                platform,
                worker,
                new Outages(new Backoff(platform, Duration.ofMillis(200), Duration.ofSeconds(5)), listener));
        slabs.add(worker);
        activity[0].signal();
        platform.settle();
        return worker;
    }

    private final class Owner implements Ownership {

        @Override
        public boolean holds(Lease lease) {
            return holds;
        }

        @Override
        public void lost(Lease lease) {
            lost = true;
        }
    }

    private final class Listener implements FanoutListener {

        @Override
        public void failed(String child, int partition, int attempts, Throwable cause, Duration pause) {
            told.add("failed " + attempts + " " + pause);
        }

        @Override
        public void lost(String child, int partition, long records) {
            told.add("lost " + records);
        }

        @Override
        public void fenced(String resource) {
            told.add("fenced");
        }

        @Override
        public void reloaded(String resource) {
            told.add("reloaded");
        }
    }
}
