// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.spi.Cursors.Gate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class GateCacheTest {

    private final GateCache gates = new GateCache();
    private final List<Collection<Long>> reads = new ArrayList<>();

    @Test
    void what_is_not_remembered_is_read_all_at_once_and_zero_where_there_is_none() {
        assertThat(of(List.of(1L, 2L), Map.of(2L, 7L))).isEqualTo(Map.of(1L, 0L, 2L, 7L));
        assertThat(reads).containsExactly(List.of(1L, 2L));
    }

    @Test
    void what_was_written_is_not_read_again() {
        gates.applied(Map.of(1L, 5L));

        assertThat(of(List.of(1L, 2L), Map.of())).isEqualTo(Map.of(1L, 5L, 2L, 0L));
        assertThat(reads).containsExactly(List.of(2L));
    }

    @Test
    void after_a_reload_everything_is_read_again() {
        gates.applied(Map.of(1L, 5L));
        gates.clear();

        assertThat(of(List.of(1L), Map.of(1L, 4L))).isEqualTo(Map.of(1L, 4L));
    }

    @Test
    void the_least_recently_used_are_forgotten_first() {
        Map<Long, Long> full = new HashMap<>();
        LongStream.range(0, GateCache.CAPACITY).forEach(entity -> full.put(entity, 1L));
        gates.applied(full);
        of(List.of(0L), Map.of());
        gates.applied(Map.of(-1L, 1L, -2L, 1L));

        of(LongStream.range(0, GateCache.CAPACITY).boxed().toList(), Map.of());
        assertThat(reads).hasSize(1);
        assertThat(reads.get(0)).hasSize(2).doesNotContain(0L);
    }

    @Test
    void an_entity_that_was_parked_or_is_no_longer_is_read_again() {
        gates.applied(Map.of(1L, 5L));
        gates.changed(List.of(1L));

        Map<Long, Gate> known = gates.of(List.of(1L), unknown -> Map.of(1L, new Gate(5, true)));
        assertThat(known).isEqualTo(Map.of(1L, new Gate(5, true)));
    }

    private Map<Long, Long> of(List<Long> entities, Map<Long, Long> stored) {
        Map<Long, Gate> known = gates.of(entities, unknown -> {
            reads.add(List.copyOf(unknown));
            return asGates(stored);
        });
        Map<Long, Long> versions = new HashMap<>();
        known.forEach((entity, gate) -> versions.put(entity, gate.version()));
        return versions;
    }

    private static Map<Long, Gate> asGates(Map<Long, Long> versions) {
        Map<Long, Gate> gates = new HashMap<>();
        versions.forEach((entity, version) -> gates.put(entity, new Gate(version, false)));
        return gates;
    }
}
