// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.Settings;
import dev.fanout.StartRefusedException;
import dev.fanout.StreamSpec;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Lease;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Retention;
import dev.fanout.spi.Retention.Batch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code Retention}, and how long a stream says that it keeps its records. */
abstract class RetentionContract<T> extends Scene<T> {

    private static final Duration HOUR = Duration.ofHours(1);

    private Retention retention;
    private Lease lane;
    private Lease janitor;

    @BeforeEach
    void begin() {
        retention = store.retention();
        lane = takeLane();
        janitor = take("retention");
    }

    @Test
    void old_records_go_in_batches_from_the_beginning_and_the_last_one_stays() throws Exception {
        publish(7);
        Instant before = retention.now().plus(HOUR);

        assertThat(retention.remove(janitor, assets(0), 0, before, 4)).isEqualTo(new Batch(4, 4));
        assertThat(positions()).containsExactly(4L, 5L, 6L);
        assertThat(retention.remove(janitor, assets(0), 4, before, 4)).isEqualTo(new Batch(2, 6));
        assertThat(retention.remove(janitor, assets(0), 6, before, 4)).isEqualTo(new Batch(0, 6));
        assertThat(positions()).containsExactly(6L);
    }

    @Test
    void the_head_is_the_same_after_everything_else_is_gone() throws Exception {
        publish(3);
        retention.remove(janitor, assets(0), 0, retention.now().plus(HOUR), 100);

        assertThat(store.leases().survey().heads()).containsEntry(assets(0), 3L);
        publish(1);
        assertThat(positions()).containsExactly(2L, 3L);
    }

    @Test
    void young_records_stay() throws Exception {
        publish(3);
        Instant published = read(assets(0)).get(0).committedAt();

        assertThat(retention.remove(janitor, assets(0), 0, published, 100)).isEqualTo(new Batch(0, 0));
        assertThat(positions()).hasSize(3);
    }

    @Test
    void an_empty_partition_has_nothing_to_remove() {
        assertThat(retention.remove(janitor, assets(1), 0, retention.now().plus(HOUR), 100))
                .isEqualTo(new Batch(0, 0));
    }

    @Test
    void a_janitor_whose_lease_was_taken_removes_nothing() throws Exception {
        publish(3);
        takeOver(janitor);

        assertThatThrownBy(() ->
                        retention.remove(janitor, assets(0), 0, retention.now().plus(HOUR), 100))
                .isInstanceOf(FencedException.class);
        assertThat(positions()).hasSize(3);
    }

    @Test
    void a_child_that_begins_at_the_beginning_begins_at_the_oldest_kept_record() throws Exception {
        publish(5);
        retention.remove(janitor, assets(0), 0, retention.now().plus(HOUR), 3);
        store.attachments().attach(new Declaration.Child("all", "assets", "PLAIN", true, "00000000000000d1"));

        Layout.Attachment all =
                store.leases().survey().layout().attachment("all").orElseThrow();
        assertThat(store.cursors().cursor(all, 0).position()).isEqualTo(3);
    }

    @Test
    void the_default_is_stored_and_an_explicit_one_takes_its_place() throws Exception {
        assertThat(kept()).isEqualTo(Duration.ofDays(7));
        open(ASSETS.retention(Duration.ofDays(2)), Settings.defaults());
        assertThat(kept()).isEqualTo(Duration.ofDays(2));
        open(ASSETS, Settings.defaults().streamRetention(Duration.ofDays(9)));
        assertThat(kept()).as("said by nobody").isEqualTo(Duration.ofDays(2));
    }

    @Test
    void a_retention_below_the_longest_delay_and_an_hour_is_refused_and_not_stored() throws Exception {
        store.attachments()
                .attach(new Declaration.Child(
                        "late", "assets", "PLAIN", null, Duration.ofDays(3), null, false, "00000000000000d1"));

        assertThatThrownBy(() -> open(ASSETS.retention(Duration.ofDays(3)), Settings.defaults()))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContainingAll("assets", "late", "PT72H", "PT73H");
        assertThat(kept()).isEqualTo(Duration.ofDays(7));
        open(ASSETS.retention(Duration.ofDays(3).plus(HOUR)), Settings.defaults());
    }

    private void open(StreamSpec assets, Settings settings) throws Exception {
        harness.connect().open(new Declaration(List.of(assets, AUDIT), List.of(SEARCH), new TextCodec(), settings));
    }

    private Duration kept() {
        return store.leases().survey().layout().stream("assets").orElseThrow().retention();
    }

    private void publish(int records) throws Exception {
        for (int i = 0; i < records; i++) {
            appended(Given.to("1").event(route(assets(0))));
        }
        placed(new Look(lane));
    }

    private List<Long> positions() {
        return read(assets(0)).stream().map(LogRecord::position).toList();
    }
}
