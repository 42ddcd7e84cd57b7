// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fanout.Entity;
import dev.fanout.EntityRef;
import dev.fanout.VersionConflictException;
import dev.fanout.spi.Appends.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** {@code Appends.append}: versions, expectations, source versions, batches, locks and routes. */
abstract class AppendContract<T> extends Scene<T> {

    @Test
    void the_first_event_of_an_entity_makes_version_1() throws Exception {
        assertThat(appended(Given.to("a").event())).containsExactly(written(1));
    }

    @Test
    void versions_go_on_from_the_last_one_and_grow_by_one_per_event() throws Exception {
        assertThat(appended(Given.to("a").event())).containsExactly(written(1));
        assertThat(appended(Given.to("a").event().event().event())).containsExactly(written(4));
        assertThat(appended(Given.to("a").event())).containsExactly(written(5));
    }

    @Test
    void one_transaction_appends_to_one_entity_more_than_once() throws Exception {
        T tx = harness.begin();
        assertThat(append(tx, Given.to("a").event())).containsExactly(written(1));
        assertThat(append(tx, Given.to("a").expecting(1).event())).containsExactly(written(2));
        harness.commit(tx);
        assertThat(version("a")).isEqualTo(2);
    }

    @Test
    void an_expectation_that_holds_changes_nothing() throws Exception {
        assertThat(appended(Given.to("a").expecting(0).event())).containsExactly(written(1));
        assertThat(appended(Given.to("a").expecting(1).event())).containsExactly(written(2));
    }

    @Test
    void an_expectation_that_does_not_hold_is_a_conflict_with_the_actual_version() throws Exception {
        appended(Given.to("a").event().event().event());
        VersionConflictException conflict = conflict(Given.to("a").expecting(2).event());
        assertThat(conflict.entity()).isEqualTo(Given.asset("a"));
        assertThat(conflict.expected()).isEqualTo(2);
        assertThat(conflict.actual()).isEqualTo(3);
        assertThat(version("a")).isEqualTo(3);
    }

    @Test
    void expecting_0_of_an_entity_that_exists_is_a_conflict() throws Exception {
        appended(Given.to("a").event());
        assertThat(conflict(Given.to("a").expecting(0).event()).actual()).isEqualTo(1);
    }

    @Test
    void expecting_more_than_0_of_an_entity_that_is_absent_creates_nothing() throws Exception {
        assertThat(conflict(Given.to("a").expecting(1).event()).actual()).isZero();
        assertThat(find("a")).isEmpty();
        assertThat(appended(Given.to("a").expecting(0).event())).containsExactly(written(1));
    }

    @Test
    void a_conflict_in_a_batch_leaves_nothing_of_the_batch_and_a_usable_transaction() throws Exception {
        T tx = harness.begin();
        append(tx, Given.to("before").event(route(assets(0))));
        assertThatThrownBy(() -> append(
                        tx,
                        Given.to("a").event(route(assets(0))),
                        Given.to("b").expecting(1).event(),
                        Given.to("c").event(route(assets(0)))))
                .isInstanceOf(VersionConflictException.class);
        append(tx, Given.to("after").event(route(assets(0))));
        harness.commit(tx);
        assertThat(find("a")).isEmpty();
        assertThat(find("c")).isEmpty();
        assertThat(version("before")).isEqualTo(1);
        assertThat(version("after")).isEqualTo(1);
        assertThat(waiting()).isEqualTo(2);
    }

    @Test
    void a_batch_answers_in_its_order() throws Exception {
        appended(Given.to("b").event().event());
        assertThat(appended(
                        Given.to("a").event(),
                        Given.to("b").event(),
                        Given.to("c").event().event()))
                .containsExactly(written(1), written(3), written(2));
    }

    @Test
    void a_batch_may_hold_one_entity_several_times() throws Exception {
        assertThat(appended(
                        Given.to("a").expecting(0).event(),
                        Given.to("a").expecting(1).event().event(),
                        Given.to("a").expecting(3).event(),
                        Given.to("b").event()))
                .containsExactly(written(1), written(3), written(4), written(1));
        assertThat(conflict(Given.to("a").event(), Given.to("a").expecting(4).event())
                        .actual())
                .isEqualTo(5);
        assertThat(version("a")).isEqualTo(4);
    }

    @Test
    void a_source_version_may_leave_gaps_but_must_grow() throws Exception {
        appended(Given.to("a").sourceVersion(0).event());
        appended(Given.to("a").sourceVersion(5).event());
        VersionConflictException same = conflict(Given.to("a").sourceVersion(5).event());
        assertThat(same.expected()).isEqualTo(5);
        assertThat(same.actual()).isEqualTo(5);
        assertThat(conflict(Given.to("a").sourceVersion(4).event()).actual()).isEqualTo(5);
        assertThat(appended(Given.to("a").sourceVersion(6).event())).containsExactly(written(3));
    }

    @Test
    void an_append_without_a_source_version_keeps_the_last_one() throws Exception {
        appended(Given.to("a").sourceVersion(5).event());
        appended(Given.to("a").event());
        assertThat(find("a").orElseThrow().sourceVersion()).hasValue(5);
        assertThat(conflict(Given.to("a").sourceVersion(5).event()).actual()).isEqualTo(5);
    }

    @Test
    void a_second_append_to_an_entity_waits_for_the_first_ones_commit() throws Exception {
        T first = harness.begin();
        append(first, Given.to("a").event());
        Future<List<Result>> second = inBackground(() -> appended(Given.to("a").event()));
        assertWaits(second);
        harness.commit(first);
        assertThat(await(second)).containsExactly(written(2));
    }

    @Test
    void a_second_append_to_an_entity_takes_the_version_that_a_rollback_left() throws Exception {
        T first = harness.begin();
        append(first, Given.to("a").event());
        Future<List<Result>> second = inBackground(() -> appended(Given.to("a").event()));
        assertWaits(second);
        harness.rollback(first);
        assertThat(await(second)).containsExactly(written(1));
    }

    @Test
    void an_expectation_is_compared_with_what_the_lock_uncovers() throws Exception {
        appended(Given.to("a").event());
        T first = harness.begin();
        append(first, Given.to("a").expecting(1).event());
        Future<VersionConflictException> second =
                inBackground(() -> conflict(Given.to("a").expecting(1).event()));
        assertWaits(second);
        harness.commit(first);
        assertThat(await(second).actual()).isEqualTo(2);
    }

    @Test
    void two_that_create_one_entity_at_once_are_one_creation_and_one_conflict() throws Exception {
        T first = harness.begin();
        append(first, Given.to("a").expecting(0).event());
        Future<VersionConflictException> second =
                inBackground(() -> conflict(Given.to("a").expecting(0).event()));
        assertWaits(second);
        harness.commit(first);
        assertThat(await(second).actual()).isEqualTo(1);
    }

    @Test
    void appends_to_different_entities_do_not_wait_for_one_another() throws Exception {
        T first = harness.begin();
        T second = harness.begin();
        append(first, Given.to("a").event());
        append(second, Given.to("b").event());
        append(first, Given.to("c").event());
        harness.commit(second);
        harness.commit(first);
        assertThat(version("b")).isEqualTo(1);
    }

    @Test
    void sorted_batches_over_the_same_entities_do_not_deadlock() throws Exception {
        List<Future<List<Result>>> batches = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            batches.add(inBackground(() -> appended(
                    Given.to("a").event(),
                    Given.to("b").event(),
                    Given.to("b").event(),
                    Given.to("c").event())));
        }
        for (Future<List<Result>> batch : batches) {
            await(batch);
        }
        assertThat(version("a")).isEqualTo(8);
        assertThat(version("b")).isEqualTo(16);
        assertThat(version("c")).isEqualTo(8);
    }

    @Test
    void an_event_waits_once_for_each_of_its_routes() throws Exception {
        appended(Given.to("a").event(route(assets(0)), route(audit())));
        assertThat(waiting()).isEqualTo(2);
    }

    @Test
    void an_event_without_a_route_is_history_only() throws Exception {
        appended(Given.to("a").event());
        assertThat(waiting()).isZero();
        assertThat(version("a")).isEqualTo(1);
    }

    @Test
    void the_same_name_in_two_tenants_is_two_entities() throws Exception {
        appended(Given.to(new EntityRef("one", "asset", "a")).event().event());
        appended(Given.to(new EntityRef("two", "asset", "a")).event());
        assertThat(appended(Given.to(new EntityRef("two", "asset", "a")).event()))
                .containsExactly(written(2));
        assertThat(find("a")).isEmpty();
    }

    private long version(String id) throws Exception {
        return find(id).map(Entity::version).orElse(0L);
    }

    private VersionConflictException conflict(Given... appends) throws Exception {
        T tx = harness.begin();
        VersionConflictException conflict =
                catchThrowableOfType(VersionConflictException.class, () -> append(tx, appends));
        harness.rollback(tx);
        assertThat(conflict).as("conflict").isNotNull();
        return conflict;
    }

    /** Gives what must wait a chance to go wrong; what is right is not late by it. */
    private static void assertWaits(Future<?> waiting) {
        assertThatThrownBy(() -> waiting.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
    }
}
