// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Cursors.Cursor;
import dev.fanout.spi.Cursors.Gate;
import dev.fanout.spi.Cursors.Parking;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Lease;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code Cursors.advance} with a delivery: the projection's rows, gates and cursor are one. */
abstract class DeliveryContract<T> extends Scene<T> {

    private Lease lease;

    @BeforeEach
    void takeChild() {
        lease = take("child/table/0");
    }

    @Test
    void rows_gates_and_cursor_are_committed_together() throws Exception {
        boolean committed = store.cursors().advance(tx -> {
            harness.put(tx, "row", "1");
            assertThat(harness.get("row")).isEmpty();
            return step(0, child("table"));
        });
        assertThat(committed).isTrue();
        assertThat(harness.get("row")).contains("1");
        assertThat(store.cursors().cursor(child("table"), 0).position()).isEqualTo(1);
        assertThat(store.cursors().gates(child("table"), List.of(5L))).isEqualTo(Map.of(5L, new Gate(1, false)));
    }

    @Test
    void a_delivery_that_says_no_step_is_rolled_back() throws Exception {
        boolean committed = store.cursors().advance(tx -> {
            harness.put(tx, "row", "1");
            return null;
        });
        assertThat(committed).isFalse();
        assertNothing();
    }

    @Test
    void a_delivery_that_throws_is_rolled_back_and_its_exception_passes_as_it_is() throws Exception {
        IOException failure = new IOException("on purpose");
        assertThatThrownBy(() -> store.cursors().advance(tx -> {
                    harness.put(tx, "row", "1");
                    throw failure;
                }))
                .isSameAs(failure);
        assertNothing();
    }

    @Test
    void a_delivery_under_a_stale_lease_is_rolled_back() throws Exception {
        Advance stale = step(0, child("table"));
        takeOver(lease);
        assertThatThrownBy(() -> deliver(stale)).isInstanceOf(FencedException.class);
        assertNothing();
    }

    @Test
    void a_delivery_from_elsewhere_than_the_head_is_rolled_back() throws Exception {
        assertThatThrownBy(() -> deliver(step(3, child("table")))).isInstanceOf(ForgottenException.class);
        assertNothing();
    }

    @Test
    void a_delivery_of_another_epoch_is_rolled_back() throws Exception {
        assertThatThrownBy(() -> deliver(step(0, ofAnotherEpoch(child("table")))))
                .isInstanceOf(FencedException.class);
        assertNothing();
    }

    @Test
    void after_a_failure_the_same_step_succeeds() throws Exception {
        assertThatThrownBy(() -> deliver(step(3, child("table")))).isInstanceOf(ForgottenException.class);
        assertThat(deliver(step(0, child("table")))).isTrue();
        assertThat(harness.get("row")).contains("1");
    }

    private boolean deliver(Advance step) throws Exception {
        return store.cursors().advance(tx -> {
            harness.put(tx, "row", "1");
            return step;
        });
    }

    private void assertNothing() throws Exception {
        assertThat(harness.get("row")).isEmpty();
        assertThat(store.cursors().cursor(child("table"), 0).position()).isZero();
        assertThat(store.cursors().gates(child("table"), List.of(5L))).isEmpty();
    }

    private Advance step(long from, Layout.Attachment attachment) {
        Cursor stands = new Cursor(0, from, Counts.NONE);
        Cursor behind = stands.next(from + 1, new Counts(1, 0, 0, 0, 0, 0, 0));
        return new Advance(
                lease,
                attachment,
                0,
                stands,
                behind,
                Map.of(5L, 1L),
                Map.of(),
                Parking.NONE,
                List.of(),
                Optional.empty());
    }
}
