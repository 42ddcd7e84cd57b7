// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.spi.Leases.Node;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LivenessTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Liveness liveness = new Liveness(Duration.ofSeconds(10));

    @Test
    void a_node_lives_for_a_lease_from_when_its_counter_was_seen_to_move() {
        saw(0, node(1, 5));
        saw(9, node(1, 5));
        assertThat(liveness.isAlive(1, 9 * SECOND)).isTrue();
        assertThat(liveness.isAlive(1, 10 * SECOND)).isFalse();

        saw(11, node(1, 6));
        assertThat(liveness.isAlive(1, 20 * SECOND)).isTrue();
        assertThat(liveness.isAlive(1, 21 * SECOND)).isFalse();
    }

    @Test
    void a_node_that_is_gone_or_was_never_seen_is_dead() {
        saw(0, node(1, 5));
        saw(1);

        assertThat(liveness.isAlive(1, SECOND)).isFalse();
        assertThat(liveness.isAlive(2, SECOND)).isFalse();
    }

    @Test
    void a_node_is_given_the_benefit_of_the_doubt_by_an_observer_that_has_just_come() {
        saw(100, node(1, 5));

        assertThat(liveness.isAlive(1, 100 * SECOND)).isTrue();
    }

    @Test
    void a_moment_before_the_counter_was_seen_to_move_shows_it_alive() {
        saw(100, node(1, 5));

        assertThat(liveness.isAlive(1, 80 * SECOND)).isTrue();
    }

    @Test
    void a_clock_that_is_negative_or_wraps_changes_nothing() {
        long start = Long.MAX_VALUE - SECOND;
        liveness.saw(List.of(node(1, 5)), start);

        assertThat(liveness.isAlive(1, start + 9 * SECOND)).isTrue();
        assertThat(liveness.isAlive(1, start + 10 * SECOND)).isFalse();
    }

    @Test
    void only_a_node_dead_for_many_leases_is_long_dead() {
        saw(0, node(1, 5), node(2, 1));
        saw(50, node(1, 5), node(2, 2));

        assertThat(liveness.longDead(60 * SECOND)).isEmpty();
        assertThat(liveness.longDead(61 * SECOND)).containsExactly(1L);
    }

    private void saw(long second, Node... nodes) {
        liveness.saw(List.of(nodes), second * SECOND);
    }

    private static Node node(long no, long heartbeat) {
        return new Node(no, "node-" + no, heartbeat, Set.of());
    }
}
