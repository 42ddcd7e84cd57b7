// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.spi.Lease;
import dev.fanout.spi.Leases;
import dev.fanout.spi.Leases.Held;
import dev.fanout.spi.Leases.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code Leases}. */
abstract class LeaseContract<T> extends Scene<T> {

    private static final String RESOURCE = "child/search/0";

    private Leases leases;
    private long one;
    private long two;

    @BeforeEach
    void join() {
        leases = store.leases();
        one = leases.join("one", Set.of("search", "table"));
        two = leases.join("two", Set.of());
    }

    @Test
    void a_node_that_joined_is_seen_by_all() throws Exception {
        assertThat(anotherNode().leases().survey().nodes())
                .containsExactlyInAnyOrder(
                        new Node(one, "one", 0, Set.of("search", "table")), new Node(two, "two", 0, Set.of()));
    }

    @Test
    void a_beat_raises_the_counter_of_its_node() {
        assertThat(leases.beat(one)).isTrue();
        long first = node(one).orElseThrow().heartbeat();
        assertThat(leases.beat(one)).isTrue();
        assertThat(node(one).orElseThrow().heartbeat()).isGreaterThan(first);
        assertThat(node(two).orElseThrow().heartbeat()).isLessThan(first);
    }

    @Test
    void a_node_that_was_removed_is_told_at_its_next_beat() {
        leases.remove(one);
        assertThat(leases.beat(one)).isFalse();
        assertThat(node(one)).isEmpty();
        assertThat(node(two)).isPresent();
        leases.remove(one);
    }

    @Test
    void the_number_of_a_node_is_never_used_again() {
        leases.remove(two);
        assertThat(leases.join("three", Set.of())).isNotIn(one, two);
    }

    @Test
    void a_resource_that_never_was_taken_is_not_owned() {
        assertThat(leases.survey().leases()).allMatch(held -> held.node().isEmpty() && held.token() == 0);
    }

    @Test
    void a_lease_that_was_taken_is_seen_with_its_token() {
        Lease lease = leases.take(RESOURCE, 0, one).orElseThrow();
        assertThat(lease.resource()).isEqualTo(RESOURCE);
        assertThat(lease.node()).isEqualTo(one);
        assertThat(lease.token()).isPositive();
        assertThat(held()).contains(new Held(RESOURCE, OptionalLong.of(one), lease.token()));
    }

    @Test
    void a_token_that_is_not_the_last_takes_nothing() {
        Lease lease = leases.take(RESOURCE, 0, one).orElseThrow();
        assertThat(leases.take(RESOURCE, 0, two)).isEmpty();
        assertThat(leases.take(RESOURCE, lease.token() + 1, two)).isEmpty();
        assertThat(held()).contains(new Held(RESOURCE, OptionalLong.of(one), lease.token()));
    }

    @Test
    void the_last_token_takes_the_lease_of_a_dead_owner() {
        Lease dead = leases.take(RESOURCE, 0, one).orElseThrow();
        Lease taken = leases.take(RESOURCE, dead.token(), two).orElseThrow();
        assertThat(taken.node()).isEqualTo(two);
        assertThat(taken.token()).isGreaterThan(dead.token());
    }

    @Test
    void a_lease_that_was_given_back_is_free_and_keeps_its_token() {
        Lease lease = leases.take(RESOURCE, 0, one).orElseThrow();
        leases.release(lease);
        assertThat(held()).contains(new Held(RESOURCE, OptionalLong.empty(), lease.token()));
        assertThat(leases.take(RESOURCE, 0, two)).isEmpty();
        Lease next = leases.take(RESOURCE, lease.token(), two).orElseThrow();
        assertThat(next.token()).isGreaterThan(lease.token());
    }

    @Test
    void giving_back_what_another_has_taken_does_nothing() {
        Lease stale = leases.take(RESOURCE, 0, one).orElseThrow();
        Lease fresh = leases.take(RESOURCE, stale.token(), two).orElseThrow();
        leases.release(stale);
        assertThat(held()).contains(new Held(RESOURCE, OptionalLong.of(two), fresh.token()));
    }

    @Test
    void giving_back_an_older_lease_of_ones_own_does_nothing() {
        Lease stale = leases.take(RESOURCE, 0, one).orElseThrow();
        Lease fresh = leases.take(RESOURCE, stale.token(), one).orElseThrow();
        leases.release(stale);
        assertThat(held()).contains(new Held(RESOURCE, OptionalLong.of(one), fresh.token()));
    }

    @Test
    void of_eight_that_take_at_once_one_wins_and_tokens_only_grow() throws Exception {
        long token = 0;
        for (int round = 0; round < 5; round++) {
            List<Lease> winners = race(token);
            assertThat(winners).hasSize(1);
            assertThat(winners.get(0).token()).isGreaterThan(token);
            token = winners.get(0).token();
            assertThat(held())
                    .contains(new Held(RESOURCE, OptionalLong.of(winners.get(0).node()), token));
        }
    }

    @Test
    void a_survey_tells_the_heads_of_partitions_that_hold_records() throws Exception {
        assertThat(leases.survey().heads()).isEmpty();
        appended(Given.to("a").event(route(assets(0))));
        appended(Given.to("a").event(route(assets(0)), route(audit())));
        placed(new Look(takeLane()));
        assertThat(leases.survey().heads()).isEqualTo(Map.of(assets(0), 2L, audit(), 1L));
    }

    private List<Lease> race(long seen) throws Exception {
        CyclicBarrier together = new CyclicBarrier(8);
        List<Future<Optional<Lease>>> racing = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            long node = i % 2 == 0 ? one : two;
            racing.add(inBackground(() -> {
                together.await(60, TimeUnit.SECONDS);
                return leases.take(RESOURCE, seen, node);
            }));
        }
        List<Lease> winners = new ArrayList<>();
        for (Future<Optional<Lease>> racer : racing) {
            await(racer).ifPresent(winners::add);
        }
        return winners;
    }

    private Optional<Node> node(long no) {
        return leases.survey().nodes().stream().filter(node -> node.no() == no).findFirst();
    }

    private Optional<Held> held() {
        return leases.survey().leases().stream()
                .filter(held -> held.resource().equals(RESOURCE))
                .findFirst();
    }
}
