// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.Settings;
import dev.fanout.StartRefusedException;
import dev.fanout.spi.Attachments;
import dev.fanout.spi.Attachments.Deletion;
import dev.fanout.spi.Attachments.State;
import dev.fanout.spi.Attachments.Stored;
import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Cursors.Cursor;
import dev.fanout.spi.Cursors.Gate;
import dev.fanout.spi.Cursors.Parking;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.Layout.Attachment;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Leases.Held;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code Attachments}. */
abstract class AttachmentContract<T> extends Scene<T> {

    private Attachments attachments;

    @BeforeEach
    void begin() {
        attachments = store.attachments();
    }

    @Test
    void children_are_listed_by_name_whoever_declared_them() throws Exception {
        attachments.attach(child("all", "assets", true));

        assertThat(anotherNode().attachments().all())
                .extracting(stored -> stored.attachment().child())
                .containsExactly("all", "search", "table");
        assertThat(stored("search").state()).isEqualTo(State.ATTACHED);
        assertThat(stored("table").kind()).isEqualTo("TRANSACTIONAL");
    }

    @Test
    void a_child_is_attached_at_the_tail_or_at_the_beginning() throws Exception {
        publishThree();
        assertThat(attachments.attach(child("late", "assets", false))).isTrue();
        assertThat(attachments.attach(child("all", "assets", true))).isTrue();

        assertThat(cursor("late").position()).isEqualTo(3);
        assertThat(cursor("all").position()).isZero();
    }

    @Test
    void a_child_that_is_attached_is_not_attached_again() {
        Attachment before = stored("search").attachment();

        assertThat(attachments.attach(child("search", "assets", true))).isFalse();
        assertThat(stored("search").attachment()).isEqualTo(before);
    }

    @Test
    void a_child_that_is_attached_otherwise_is_refused() {
        assertThatThrownBy(() -> attachments.attach(child("search", "audit", true)))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContainingAll("search", "assets", "audit");
    }

    @Test
    void a_child_that_is_detached_stays_so_whoever_declares_it() throws Exception {
        assertThat(attachments.detach("search")).isTrue();
        assertThat(attachments.detach("search")).isFalse();

        Store<T> other = harness.connect();
        assertThat(other.open(declaration(Settings.defaults())).attachment("search"))
                .isEmpty();
        assertThat(stored("search").state()).isEqualTo(State.DETACHED);
        assertThat(store.leases().survey().layout().attachment("search")).isEmpty();
    }

    @Test
    void a_child_that_is_attached_again_has_another_number_and_epoch_and_no_past() throws Exception {
        publishThree();
        Attachment before = stored("search").attachment();
        Lease lease = take("child/search/0");
        store.cursors().advance(step(lease, before, 1, Counts.NONE));
        attachments.detach("search");

        assertThat(attachments.attach(child("search", "assets", true))).isTrue();

        Attachment after = stored("search").attachment();
        assertThat(after.no()).isNotEqualTo(before.no());
        assertThat(after.epoch()).isNotEqualTo(before.epoch());
        assertThat(store.cursors().cursor(after, 0)).isEqualTo(new Cursor(0, 0, Counts.NONE));
        assertThat(store.cursors().gates(after, List.of(entityNo()))).isEmpty();
    }

    @Test
    void a_late_save_of_an_owner_from_before_writes_nothing() throws Exception {
        publishThree();
        Attachment before = stored("search").attachment();
        Lease lease = take("child/search/0");

        attachments.detach("search");
        assertThatThrownBy(() -> store.cursors().advance(step(lease, before, 1, Counts.NONE)))
                .isInstanceOf(FencedException.class);
        attachments.attach(child("search", "assets", true));
        assertThatThrownBy(() -> store.cursors().advance(step(lease, before, 1, Counts.NONE)))
                .isInstanceOf(FencedException.class);

        Attachment after = stored("search").attachment();
        Lease next = takeFree("child/search/0");
        assertThatThrownBy(() -> store.cursors().advance(step(next, before, 1, Counts.NONE)))
                .isInstanceOf(FencedException.class);
        store.cursors().advance(step(next, after, 1, Counts.NONE));
        assertThat(next.token()).isGreaterThan(lease.token());
    }

    @Test
    void detaching_frees_every_lease_of_the_child_under_a_higher_token_and_no_other() {
        Lease lease = take("child/search/1");
        Lease other = take("child/table/1");
        attachments.detach("search");

        assertThat(held("child/search/1").node()).isEmpty();
        assertThat(held("child/search/1").token()).isGreaterThan(lease.token());
        assertThat(held("child/table/1"))
                .isEqualTo(new Held("child/table/1", OptionalLong.of(other.node()), other.token()));
        long node = store.leases().join("late", Set.of("search"));
        assertThat(store.leases().take("child/search/0", 0, node))
                .as("one that was never taken")
                .isEmpty();
    }

    @Test
    void of_many_that_detach_and_attach_at_once_one_epoch_is_left() throws Exception {
        CyclicBarrier together = new CyclicBarrier(4);
        List<Future<Integer>> changes = IntStream.range(0, 4)
                .mapToObj(nth -> inBackground(() -> {
                    together.await();
                    int made = 0;
                    for (int i = 0; i < 10; i++) {
                        attachments.detach("search");
                        made += attachments.attach(child("search", "assets", false)) ? 1 : 0;
                    }
                    return made;
                }))
                .toList();
        int made = 0;
        for (Future<Integer> change : changes) {
            made += await(change);
        }

        assertThat(made).isPositive();
        assertThat(attachments.all())
                .filteredOn(one -> one.attachment().child().equals("search"))
                .hasSize(1);
        assertThat(stored("search").state()).isEqualTo(State.ATTACHED);
        assertThat(store.leases().survey().layout().attachment("search"))
                .hasValue(stored("search").attachment());
    }

    @Test
    void a_child_stands_still_and_goes_on_where_it_stood() {
        Attachment before = stored("search").attachment();
        assertThat(attachments.pause("search", true)).isTrue();
        assertThat(attachments.pause("search", true)).isFalse();
        assertThat(stored("search").state()).isEqualTo(State.PAUSED);
        assertThat(store.leases()
                        .survey()
                        .layout()
                        .attachment("search")
                        .orElseThrow()
                        .paused())
                .isTrue();

        assertThat(attachments.pause("search", false)).isTrue();
        assertThat(stored("search").attachment()).isEqualTo(before);
        attachments.detach("search");
        assertThat(attachments.pause("search", true)).isFalse();
        assertThat(attachments.pause("nobody", true)).isFalse();
    }

    @Test
    void the_109th_child_is_refused_and_leaves_nothing() {
        for (int i = 2; i < 108; i++) {
            attachments.attach(child("child-" + i, "assets", false));
        }
        assertThatThrownBy(() -> attachments.attach(child("one-too-many", "assets", false)))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContainingAll("assets", "109", "108");
        assertThat(attachments.all()).hasSize(108);

        attachments.detach("search");
        assertThat(attachments.attach(child("one-too-many", "assets", false))).isTrue();
    }

    @Test
    void a_delay_beyond_what_the_stream_keeps_is_refused_with_the_rule() {
        Declaration.Child late = new Declaration.Child(
                "late", "assets", "PLAIN", null, Duration.ofDays(7), null, false, "00000000000000c1");
        assertThatThrownBy(() -> attachments.attach(late))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContainingAll("assets", "late", "PT168H", "PT169H");
    }

    @Test
    void a_stream_that_is_not_stored_is_refused() {
        assertThatThrownBy(() -> attachments.attach(child("lost", "nowhere", false)))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContainingAll("lost", "nowhere");
    }

    @Test
    void a_loss_marks_the_child_in_the_step_that_counts_it() throws Exception {
        publishThree();
        Attachment search = stored("search").attachment();
        Lease lease = take("child/search/0");
        store.cursors().advance(step(lease, search, 2, new Counts(0, 0, 0, 0, 0, 0, 2)));

        assertThat(stored("search").needsRebuild()).isTrue();
        assertThat(stored("table").needsRebuild()).isFalse();
        attachments.detach("search");
        attachments.attach(child("search", "assets", true));
        assertThat(stored("search").needsRebuild()).as("attached again").isFalse();
    }

    @Test
    void a_sweep_removes_what_is_over_and_nothing_else() throws Exception {
        publishThree();
        Attachment over = stored("search").attachment();
        Attachment kept = stored("table").attachment();
        long entity = entityNo();
        store.cursors().advance(step(take("child/search/0"), over, 1, Counts.NONE));
        store.cursors().advance(step(take("child/table/0"), kept, 1, Counts.NONE));
        attachments.detach("search");

        assertThat(attachments.sweep(1_000).rows()).isPositive();

        assertThat(store.cursors().cursor(over, 0)).isEqualTo(Cursor.START);
        assertThat(store.cursors().gates(over, List.of(entity))).isEmpty();
        assertThat(store.cursors().cursor(kept, 0).position()).isEqualTo(1);
        assertThat(store.cursors().gates(kept, List.of(entity))).containsEntry(entity, new Gate(1, false));
        assertThat(store.leases().survey().leases())
                .noneMatch(one -> one.resource().startsWith("child/search/"));
        assertThat(attachments.sweep(1_000)).isEqualTo(new Attachments.Swept(0, 0));
    }

    @Test
    void a_sweep_leaves_a_child_alone_that_was_attached_again() throws Exception {
        publishThree();
        attachments.detach("search");
        attachments.attach(child("search", "assets", false));
        attachments.sweep(1_000);

        assertThat(cursor("search").position()).isEqualTo(3);
    }

    @Test
    void a_stream_is_deleted_with_its_children_and_records() throws Exception {
        publishThree();
        Lease lease = take("child/search/0");
        Attachment before = stored("search").attachment();

        assertThat(attachments.delete("assets", 2)).isEqualTo(new Deletion.Going(0));
        assertThatThrownBy(() -> store.cursors().advance(step(lease, before, 1, Counts.NONE)))
                .isInstanceOf(FencedException.class);
        assertThat(attachments.delete("assets", 2)).isEqualTo(new Deletion.Going(2));
        assertThat(attachments.delete("assets", 2)).isEqualTo(new Deletion.Going(1));
        assertThat(attachments.delete("assets", 2)).isEqualTo(new Deletion.Gone());
        assertThat(attachments.delete("assets", 2)).isEqualTo(new Deletion.Unknown());
        assertThat(attachments.all()).isEmpty();
        assertThat(store.leases().survey().layout().stream("assets")).isEmpty();
    }

    @Test
    void a_stream_for_which_events_wait_in_the_outbox_is_not_deleted() throws Exception {
        appended(Given.to("1").event(route(assets(0))).event(route(assets(0))));

        assertThat(attachments.delete("assets", 10)).isEqualTo(new Deletion.Awaited(2));
        assertThat(stored("search").state()).isEqualTo(State.ATTACHED);
    }

    @Test
    void a_stream_on_which_another_hangs_is_not_deleted() {
        attachments.attach(new Declaration.Child(
                "link", "assets", "STREAM", "audit", Duration.ZERO, null, true, "00000000000000b1"));

        assertThat(attachments.delete("assets", 10)).isEqualTo(new Deletion.HasStreams(List.of("link")));
        assertThat(attachments.delete("audit", 10)).isEqualTo(new Deletion.Going(0));
        assertThat(stored("link").state()).isEqualTo(State.DETACHED);
        assertThat(attachments.delete("audit", 10)).isEqualTo(new Deletion.Gone());
    }

    @Test
    void what_is_published_to_a_deleted_stream_is_swept_and_counted() throws Exception {
        attachments.delete("audit", 10);
        appended(Given.to("1").event(route(audit())));
        placed(new Look(takeLane()));

        assertThat(attachments.sweep(1_000).records()).isEqualTo(1);
        assertThat(read(audit())).isEmpty();
    }

    private void publishThree() throws Exception {
        appended(Given.to("1").event(route(assets(0))).event(route(assets(0))).event(route(assets(0))));
        placed(new Look(takeLane()));
    }

    private long entityNo() {
        List<LogRecord> records = read(assets(0));
        return records.get(0).entityNo();
    }

    private Advance step(Lease lease, Attachment attachment, long records, Counts lost) {
        Cursor from = store.cursors().cursor(attachment, 0);
        Counts counts = lost.plus(new Counts(records - lost.sum(), 0, 0, 0, 0, 0, 0));
        return new Advance(
                lease,
                attachment,
                0,
                from,
                from.next(from.position() + records, counts),
                Map.of(entityNo(), records),
                Map.of(),
                Parking.NONE,
                List.of(),
                Optional.empty());
    }

    private Lease takeFree(String resource) {
        long node = store.leases().join("next", Set.of("search", "table"));
        return store.leases().take(resource, held(resource).token(), node).orElseThrow();
    }

    private Held held(String resource) {
        return store.leases().survey().leases().stream()
                .filter(one -> one.resource().equals(resource))
                .findFirst()
                .orElseThrow();
    }

    private Cursor cursor(String child) {
        return store.cursors().cursor(stored(child).attachment(), 0);
    }

    private Stored stored(String child) {
        return attachments.all().stream()
                .filter(one -> one.attachment().child().equals(child))
                .findFirst()
                .orElseThrow();
    }

    private int epochs = 0x100;

    private synchronized Declaration.Child child(String name, String stream, boolean fromBeginning) {
        return new Declaration.Child(
                name, stream, "SELF_GATED", fromBeginning, "0000000000000" + Integer.toHexString(epochs++));
    }
}
