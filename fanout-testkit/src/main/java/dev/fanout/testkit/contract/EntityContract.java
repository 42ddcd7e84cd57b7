// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.Entity;
import dev.fanout.Payload;
import dev.fanout.VersionConflictException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** {@code Appends.find} and {@code Appends.inTransaction}: state, tombstones, and what a transaction sees. */
abstract class EntityContract<T> extends Scene<T> {

    @Test
    void an_entity_that_never_was_is_not_found() throws Exception {
        assertThat(find("a")).isEmpty();
    }

    @Test
    void an_entity_is_found_with_its_version_and_state() throws Exception {
        appended(Given.to("a").state("{\"n\": 1}").sourceVersion(7).event());
        Entity found = find("a").orElseThrow();
        assertThat(found.ref()).isEqualTo(Given.asset("a"));
        assertThat(found.version()).isEqualTo(1);
        assertThat(found.sourceVersion()).hasValue(7);
        assertThat(found.deleted()).isFalse();
        assertThat(found.state().orElseThrow().json()).isEqualTo("{\"n\": 1}");
        assertThat(found.state().orElseThrow().as(String.class)).isEqualTo("{\"n\": 1}");
    }

    @Test
    void an_append_without_a_state_leaves_it() throws Exception {
        appended(Given.to("a").state("{\"n\": 1}").event());
        appended(Given.to("a").event());
        assertThat(find("a").orElseThrow().state().map(Payload::json)).contains("{\"n\": 1}");
    }

    @Test
    void an_append_with_a_state_replaces_it() throws Exception {
        appended(Given.to("a").state("{\"n\": 1}").event());
        appended(Given.to("a").state("null").event());
        assertThat(find("a").orElseThrow().state().map(Payload::json)).contains("null");
    }

    @Test
    void a_tombstone_clears_the_state_and_keeps_the_version() throws Exception {
        appended(Given.to("a").state("{\"n\": 1}").sourceVersion(3).event());
        appended(Given.to("a").tombstone());
        Entity found = find("a").orElseThrow();
        assertThat(found.deleted()).isTrue();
        assertThat(found.version()).isEqualTo(2);
        assertThat(found.sourceVersion()).hasValue(3);
        assertThat(found.state()).isEmpty();
    }

    @Test
    void an_entity_whose_newest_event_is_a_tombstone_has_no_state_whatever_was_given() throws Exception {
        appended(Given.to("a").state("{\"n\": 1}").event().tombstone());
        assertThat(find("a").orElseThrow().state()).isEmpty();
    }

    @Test
    void an_append_brings_a_deleted_entity_back_with_the_next_version() throws Exception {
        appended(Given.to("a").state("{\"n\": 1}").event());
        appended(Given.to("a").tombstone());
        assertThatThrownBy(() -> appended(Given.to("a").expecting(0).event()))
                .isInstanceOf(VersionConflictException.class);
        appended(Given.to("a").expecting(2).event());
        assertThat(find("a").orElseThrow().deleted()).isFalse();
        assertThat(find("a").orElseThrow().version()).isEqualTo(3);
        assertThat(find("a").orElseThrow().state()).isEmpty();
    }

    @Test
    void a_tombstone_clears_the_state_also_where_events_of_the_same_append_follow() throws Exception {
        appended(Given.to("a").state("{\"n\": 1}").event());
        appended(Given.to("a").tombstone().event());
        assertThat(find("a").orElseThrow().deleted()).isFalse();
        assertThat(find("a").orElseThrow().state()).isEmpty();
        appended(Given.to("a").state("{\"n\": 2}").tombstone().event());
        assertThat(find("a").orElseThrow().state().map(Payload::json)).contains("{\"n\": 2}");
    }

    @Test
    void a_transaction_sees_what_it_wrote_and_others_do_not_before_its_commit() throws Exception {
        T tx = harness.begin();
        append(tx, Given.to("a").state("{\"n\": 1}").event());
        assertThat(store.appends().find(tx, Given.asset("a"))).isPresent();
        assertThat(find("a")).isEmpty();
        harness.commit(tx);
        assertThat(find("a")).isPresent();
    }

    @Test
    void an_open_transaction_sees_what_was_committed_since_it_began() throws Exception {
        T tx = harness.begin();
        assertThat(store.appends().find(tx, Given.asset("a"))).isEmpty();
        appended(Given.to("a").event());
        assertThat(store.appends().find(tx, Given.asset("a"))).isPresent();
        harness.rollback(tx);
    }

    @Test
    void a_rollback_leaves_nothing() throws Exception {
        T tx = harness.begin();
        harness.put(tx, "row", "1");
        append(tx, Given.to("a").state("{\"n\": 1}").event(route(assets(0))));
        harness.rollback(tx);
        assertThat(find("a")).isEmpty();
        assertThat(waiting()).isZero();
        assertThat(harness.get("row")).isEmpty();
        assertThat(placed(new Look(takeLane()).full())).isEmpty();
        assertThat(appended(Given.to("a").expecting(0).event())).containsExactly(written(1));
    }

    @Test
    void a_commit_keeps_appends_and_the_applications_own_rows_together() throws Exception {
        T tx = harness.begin();
        harness.put(tx, "row", "1");
        append(tx, Given.to("a").event(route(assets(0))));
        assertThat(harness.get("row")).isEmpty();
        assertThat(waiting()).isZero();
        harness.commit(tx);
        assertThat(harness.get("row")).contains("1");
        assertThat(waiting()).isEqualTo(1);
    }

    @Test
    void work_in_a_transaction_of_the_stores_own_is_committed() throws Exception {
        long version = store.appends().inTransaction(tx -> {
            append(tx, Given.to("a").event(route(assets(0))));
            harness.put(tx, "row", "1");
            return store.appends().find(tx, Given.asset("a")).orElseThrow().version();
        });
        assertThat(version).isEqualTo(1);
        assertThat(find("a")).isPresent();
        assertThat(harness.get("row")).contains("1");
        assertThat(waiting()).isEqualTo(1);
    }

    @Test
    void work_that_throws_is_rolled_back_and_its_exception_passes_as_it_is() throws Exception {
        IOException failure = new IOException("on purpose");
        assertThatThrownBy(() -> store.appends().inTransaction(tx -> {
                    append(tx, Given.to("a").event(route(assets(0))));
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(find("a")).isEmpty();
        assertThat(waiting()).isZero();
    }
}
