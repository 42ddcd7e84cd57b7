// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.node;

import dev.fanout.spi.Leases.Node;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which nodes are alive, by their counters and this node's own monotonic clock: a counter that has not moved for the
 * length of a lease is dead. No wall clock takes part, so none that steps can kill or revive anyone.
 */
final class Liveness {

    private record Seen(long heartbeat, long at) {}

    private final long leaseNanos;
    private Map<Long, Seen> seen = new HashMap<>();

    Liveness(Duration leaseLength) {
        this.leaseNanos = leaseLength.toNanos();
    }

    /** Takes in all nodes at a moment; those that are gone are forgotten. */
    void saw(List<Node> nodes, long now) {
        Map<Long, Seen> current = new HashMap<>();
        for (Node node : nodes) {
            Seen before = seen.get(node.no());
            boolean moved = before == null || before.heartbeat != node.heartbeat();
            current.put(node.no(), moved ? new Seen(node.heartbeat(), now) : before);
        }
        seen = current;
    }

    boolean isAlive(long node, long now) {
        Seen last = seen.get(node);
        return last != null && now - last.at < leaseNanos;
    }

    /** Nodes that have been dead for so many leases that nobody can still take them for alive. */
    Set<Long> longDead(long now) {
        return seen.entrySet().stream()
                .filter(entry -> now - entry.getValue().at > 6 * leaseNanos)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }
}
