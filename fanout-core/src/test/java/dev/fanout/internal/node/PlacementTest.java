// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PlacementTest {

    private static final List<String> RESOURCES = IntStream.range(0, 300)
            .mapToObj(i -> "child/search-" + i % 10 + "/" + i / 10)
            .toList();

    @Test
    void nobody_owns_anything_where_nobody_is() {
        assertThat(Placement.owner("lane/0", List.of())).isEmpty();
    }

    @Test
    void all_come_to_the_same_answer_whatever_the_order_of_their_lists() {
        List<Long> nodes = new ArrayList<>(LongStream.rangeClosed(1, 9).boxed().toList());
        Map<String, Long> placed = place(nodes);
        Collections.reverse(nodes);

        assertThat(place(nodes)).isEqualTo(placed);
    }

    @Test
    void resources_spread_over_the_nodes() {
        Map<Long, Integer> shares = new HashMap<>();
        place(List.of(1L, 2L, 3L)).values().forEach(node -> shares.merge(node, 1, Integer::sum));

        assertThat(shares.values()).hasSize(3).allMatch(share -> share > 60 && share < 140);
    }

    @Test
    void a_node_that_comes_takes_only_its_own_share_and_gives_it_back_when_it_goes() {
        Map<String, Long> before = place(List.of(1L, 2L, 3L));
        Map<String, Long> with = place(List.of(1L, 2L, 3L, 4L));

        with.forEach((resource, node) -> assertThat(node).isIn(before.get(resource), 4L));
        assertThat(with.values().stream().filter(node -> node == 4L).count()).isBetween(40L, 115L);
        assertThat(place(List.of(1L, 2L, 3L))).isEqualTo(before);
    }

    private static Map<String, Long> place(List<Long> nodes) {
        Map<String, Long> placed = new HashMap<>();
        for (String resource : RESOURCES) {
            OptionalLong owner = Placement.owner(resource, nodes);
            placed.put(resource, owner.getAsLong());
        }
        return placed;
    }
}
