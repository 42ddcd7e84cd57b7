// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.Settings;
import dev.fanout.StartRefusedException;
import dev.fanout.StreamSpec;
import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Cursors.Cursor;
import dev.fanout.spi.Cursors.Parking;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@code Store.open} and {@code Appends.layout}. */
abstract class OpenContract<T> extends Scene<T> {

    private static final StreamSpec LATER = StreamSpec.named("later").partitions(3);

    @Test
    void what_was_declared_is_stored() {
        Layout.Stream assets = layout.stream("assets").orElseThrow();
        assertThat(assets.entityTypes()).containsExactly("asset");
        assertThat(assets.partitions()).isEqualTo(2);
        assertThat(assets.lane()).isEqualTo(Look.LANE);
        assertThat(layout.stream("audit").orElseThrow().entityTypes()).isEmpty();
        assertThat(child("search").stream()).isEqualTo(assets.no());
        assertThat(child("search").epoch()).isEqualTo(SEARCH.epoch());
        assertThat(child("search").no()).isNotEqualTo(child("table").no());
    }

    @Test
    void opening_again_changes_nothing_and_keeps_the_epoch() throws Exception {
        Declaration.Child again = new Declaration.Child("search", "assets", "SELF_GATED", true, "00000000000000ff");
        Layout reopened = harness.connect().open(declaring(List.of(ASSETS, AUDIT), List.of(again, TABLE)));
        assertThat(reopened).isEqualTo(layout);
    }

    @Test
    void what_other_processes_declared_is_seen() throws Exception {
        Layout other = harness.connect().open(declaring(List.of(LATER), List.of()));
        assertThat(other.streams()).containsAll(layout.streams()).hasSize(3);
        assertThat(other.attachments()).containsExactlyInAnyOrderElementsOf(layout.attachments());
    }

    @Test
    void another_number_of_partitions_is_refused_with_both_values() throws Exception {
        Store<T> other = harness.connect();
        Declaration differing = declaring(List.of(LATER, ASSETS.partitions(7)), List.of());
        assertThatThrownBy(() -> other.open(differing))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContainingAll("assets", "2", "7");
    }

    @Test
    void other_entity_types_are_refused_with_both_values() throws Exception {
        Store<T> other = harness.connect();
        Declaration differing = declaring(List.of(ASSETS.entities("pump")), List.of());
        assertThatThrownBy(() -> other.open(differing))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContainingAll("assets", "asset", "pump");
    }

    @Test
    void a_child_that_hangs_on_another_stream_is_refused_with_both() throws Exception {
        Store<T> other = harness.connect();
        Declaration.Child moved = new Declaration.Child("search", "audit", "SELF_GATED", true, "00000000000000ff");
        assertThatThrownBy(() -> other.open(declaring(List.of(), List.of(moved))))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContainingAll("search", "assets", "audit");
    }

    @Test
    void a_declaration_that_is_refused_stores_nothing() throws Exception {
        Store<T> other = harness.connect();
        assertThatThrownBy(() -> other.open(declaring(List.of(LATER, ASSETS.partitions(7)), List.of())))
                .isInstanceOf(StartRefusedException.class);
        assertThat(layoutInTransaction(store)).contains(layout);
    }

    @Test
    void children_of_other_processes_count_towards_the_limit_of_a_stream() throws Exception {
        harness.connect().open(declaring(List.of(), children("a", 100)));
        Store<T> other = harness.connect();
        assertThatThrownBy(() -> other.open(declaring(List.of(), children("b", 7))))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("'assets' has 109 children");
        assertThat(layoutInTransaction(store).orElseThrow().attachments()).hasSize(102);
        assertThat(other.open(declaring(List.of(), children("b", 6))).attachments())
                .hasSize(108);
    }

    private static List<Declaration.Child> children(String name, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Declaration.Child(name + i, "assets", "PLAIN", false, "00000000000000b1"))
                .toList();
    }

    @Test
    void a_transaction_reads_the_layout() throws Exception {
        assertThat(layoutInTransaction(store)).contains(layout);
        assertThat(layoutInTransaction(harness.connect())).contains(layout);
    }

    @Test
    void a_child_from_the_beginning_stands_at_the_oldest_record() throws Exception {
        publishTwo();
        Layout.Attachment late = attach("late", true);
        assertThat(store.cursors().cursor(late, 0)).isEqualTo(Cursor.START);
    }

    @Test
    void a_child_from_the_tail_stands_behind_the_newest_record() throws Exception {
        publishTwo();
        Layout.Attachment late = attach("late", false);
        assertThat(store.cursors().cursor(late, 0)).isEqualTo(new Cursor(0, 2, Counts.NONE));
        assertThat(store.cursors().cursor(late, 1)).isEqualTo(Cursor.START);
    }

    @Test
    void a_child_that_is_attached_again_goes_on_where_it_stood() throws Exception {
        publishTwo();
        Lease lease = take("child/search/0");
        Cursor stood = Cursor.START.next(1, new Counts(1, 0, 0, 0, 0, 0, 0));
        store.cursors()
                .advance(new Advance(
                        lease,
                        child("search"),
                        0,
                        Cursor.START,
                        stood,
                        Map.of(),
                        Map.of(),
                        Parking.NONE,
                        List.of(),
                        Optional.empty()));
        Layout.Attachment again = attach("search", false);
        assertThat(again).isEqualTo(child("search"));
        assertThat(store.cursors().cursor(again, 0)).isEqualTo(stood);
    }

    @Test
    void a_delay_is_stored_and_may_be_declared_anew() throws Exception {
        assertThat(child("search").delay()).isZero();
        Layout before = harness.connect().open(delaying(Duration.ofSeconds(90)));
        assertThat(before.attachment("later").orElseThrow().delay()).isEqualTo(Duration.ofSeconds(90));
        Layout after =
                harness.connect().open(delaying(Duration.ofDays(7).minusHours(1).minusMillis(1)));
        assertThat(after.attachment("later").orElseThrow())
                .isEqualTo(delayed(
                        before.attachment("later").orElseThrow(),
                        Duration.ofDays(7).minusHours(1).minusMillis(1)));
    }

    @Test
    void a_child_that_publishes_to_a_stream_is_stored_with_it() throws Exception {
        Declaration.Child link = new Declaration.Child(
                "link", "assets", "STREAM", "audit", Duration.ZERO, null, true, "00000000000000b1");
        Layout linked = harness.connect().open(declaring(List.of(), List.of(link)));
        assertThat(linked.feeding(linked.stream("audit").orElseThrow()))
                .hasValue(linked.attachment("link").orElseThrow());
        assertThat(linked.feeding(linked.stream("assets").orElseThrow())).isEmpty();
        Declaration.Child elsewhere = new Declaration.Child(
                "link", "assets", "STREAM", "later", Duration.ZERO, null, true, "00000000000000b1");
        Store<T> other = harness.connect();
        assertThatThrownBy(() -> other.open(declaring(List.of(LATER), List.of(elsewhere))))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("link");
    }

    @Test
    void another_partitioner_is_refused() throws Exception {
        Store<T> other = harness.connect();
        Declaration differing = declaring(List.of(ASSETS.partitioner(StreamSpec.Partitioner.TENANT)), List.of());
        assertThatThrownBy(() -> other.open(differing))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContainingAll("assets");
    }

    private static Declaration delaying(Duration delay) {
        return declaring(
                List.of(),
                List.of(new Declaration.Child(
                        "later", "assets", "PLAIN", null, delay, null, true, "00000000000000b1")));
    }

    private static Layout.Attachment delayed(Layout.Attachment before, Duration delay) {
        return new Layout.Attachment(
                before.no(), before.child(), before.stream(), before.epoch(), before.paused(), delay, before.target());
    }

    @Test
    void eight_processes_that_open_at_once_agree() throws Exception {
        CyclicBarrier together = new CyclicBarrier(8);
        List<Future<Layout>> opening = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Store<T> process = harness.connect();
            Declaration.Child child = new Declaration.Child("late", "later", "PLAIN", false, "000000000000000" + i);
            Declaration declaration = declaring(List.of(LATER), List.of(child));
            opening.add(inBackground(() -> {
                together.await(60, TimeUnit.SECONDS);
                return process.open(declaration);
            }));
        }
        Layout first = await(opening.get(0));
        for (Future<Layout> layouts : opening) {
            assertThat(await(layouts)).isEqualTo(first);
        }
        assertThat(first.streams()).hasSize(3);
    }

    private void publishTwo() throws Exception {
        appended(Given.to("a").event(route(assets(0))).event(route(assets(0))));
        placed(new Look(takeLane()));
    }

    private Layout.Attachment attach(String name, boolean fromBeginning) throws Exception {
        Declaration.Child child =
                new Declaration.Child(name, "assets", "SELF_GATED", fromBeginning, "00000000000000b1");
        return harness.connect()
                .open(declaring(List.of(), List.of(child)))
                .attachment(name)
                .orElseThrow();
    }

    private Optional<Layout> layoutInTransaction(Store<T> process) throws Exception {
        T tx = harness.begin();
        Optional<Layout> read = process.appends().layout(tx);
        harness.commit(tx);
        return read;
    }

    private static Declaration declaring(List<StreamSpec> streams, List<Declaration.Child> children) {
        return new Declaration(streams, children, new TextCodec(), Settings.defaults());
    }
}
