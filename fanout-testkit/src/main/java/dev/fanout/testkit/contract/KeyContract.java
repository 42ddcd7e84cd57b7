// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Appended;
import dev.fanout.Entity;
import dev.fanout.spi.Appends.EntityAppend;
import dev.fanout.spi.Appends.Result;
import dev.fanout.spi.Appends.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code Appends.append} with idempotency keys. */
abstract class KeyContract<T> extends Scene<T> {

    @Test
    void a_repeat_returns_the_events_of_the_first_and_writes_nothing() throws Exception {
        Given first = Given.to("a").key("cmd-1").event(route(assets(0))).event(route(assets(0)));
        appended(Given.to("a").event());
        assertThat(appended(first)).containsExactly(written(3));
        assertThat(appended(repeat())).containsExactly(repeated(first, 2));
        assertThat(waiting()).isEqualTo(2);
        assertThat(version()).isEqualTo(3);
    }

    @Test
    void a_repeat_is_answered_with_the_streams_of_the_first_whatever_its_own_are() throws Exception {
        Given first = Given.to("a").key("cmd-1").event(route(assets(0)), route(audit()));
        Given other = Given.to("b").key("cmd-1").event(route(audit()));
        appended(first, other);
        assertThat(appended(repeat())).containsExactly(repeated(first, 1));
        assertThat(appended(repeat(), Given.to("b").key("cmd-1").event(route(assets(1)))))
                .containsExactly(repeated(first, 1), repeated(other, 1));
    }

    @Test
    void a_repeat_in_the_same_transaction_is_one() throws Exception {
        Given first = Given.to("a").key("cmd-1").event();
        T tx = harness.begin();
        append(tx, first);
        assertThat(append(tx, repeat())).containsExactly(repeated(first, 1));
        harness.commit(tx);
        assertThat(version()).isEqualTo(1);
    }

    @Test
    void a_repeat_in_the_same_batch_is_one() throws Exception {
        Given first = Given.to("a").key("cmd-1").event();
        assertThat(appended(first, repeat(), Given.to("a").key("cmd-2").event()))
                .containsExactly(written(1), repeated(first, 1), written(2));
    }

    @Test
    void a_repeat_is_answered_whatever_it_expects() throws Exception {
        Given first = Given.to("a").key("cmd-1").expecting(0).sourceVersion(1).event();
        appended(first);
        appended(Given.to("a").event());
        assertThat(appended(repeat().expecting(0).sourceVersion(1))).containsExactly(repeated(first, 1));
    }

    @Test
    void a_key_belongs_to_one_entity() throws Exception {
        appended(Given.to("a").key("cmd-1").event());
        assertThat(appended(Given.to("b").key("cmd-1").event())).containsExactly(written(1));
    }

    @Test
    void another_key_is_another_append() throws Exception {
        appended(Given.to("a").key("cmd-1").event());
        assertThat(appended(Given.to("a").key("cmd-2").event())).containsExactly(written(2));
    }

    @Test
    void a_key_that_was_rolled_back_was_not_used() throws Exception {
        T tx = harness.begin();
        append(tx, Given.to("a").key("cmd-1").event());
        harness.rollback(tx);
        assertThat(appended(repeat())).containsExactly(written(1));
    }

    @Test
    void of_eight_at_once_one_writes_and_the_others_repeat_it() throws Exception {
        List<Future<List<Result>>> racing = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            racing.add(inBackground(() -> appended(repeat())));
        }
        List<Result> results = new ArrayList<>();
        for (Future<List<Result>> one : racing) {
            results.addAll(await(one));
        }
        assertThat(results).filteredOn(Result.Written.class::isInstance).containsExactly(written(1));
        assertThat(results).filteredOn(Result.Repeated.class::isInstance).hasSize(7);
        assertThat(results.stream().distinct()).hasSize(2);
        assertThat(version()).isEqualTo(1);
    }

    /** The same command again: it made new event ids, since it does not know of the first. */
    private static Given repeat() {
        return Given.to("a").key("cmd-1").event();
    }

    private static Result repeated(Given first, long firstVersion) {
        EntityAppend append = first.build();
        List<Appended.Id> ids = new ArrayList<>();
        append.events().forEach(event -> ids.add(new Appended.Id(event.id(), firstVersion + ids.size())));
        Set<Integer> streams =
                append.events().get(0).routes().stream().map(Route::stream).collect(Collectors.toSet());
        return new Result.Repeated(ids, streams);
    }

    private long version() throws Exception {
        return find("a").map(Entity::version).orElse(0L);
    }
}
