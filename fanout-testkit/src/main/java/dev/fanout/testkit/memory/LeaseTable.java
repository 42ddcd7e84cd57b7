// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.spi.FencedException;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Leases.Held;
import dev.fanout.spi.Leases.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Nodes and leases. */
final class LeaseTable {

    private final Map<Long, Node> nodes = new TreeMap<>();
    private final Map<String, Held> leases = new TreeMap<>();
    private long nextNode = 1;

    long join(String name, Set<String> children) {
        long no = nextNode++;
        nodes.put(no, new Node(no, name, 0, children));
        return no;
    }

    boolean beat(long no) {
        return nodes.computeIfPresent(no, (n, node) -> new Node(n, node.name(), node.heartbeat() + 1, node.children()))
                != null;
    }

    boolean remove(long no) {
        return nodes.remove(no) != null;
    }

    List<Node> nodes() {
        return List.copyOf(nodes.values());
    }

    List<Held> leases() {
        return List.copyOf(leases.values());
    }

    Optional<Lease> take(String resource, long seen, long node) {
        if (token(resource) != seen) {
            return Optional.empty();
        }
        leases.put(resource, new Held(resource, OptionalLong.of(node), seen + 1));
        return Optional.of(new Lease(resource, node, seen + 1));
    }

    boolean release(Lease lease) {
        Held held = leases.get(lease.resource());
        boolean owned =
                held != null && held.token() == lease.token() && held.node().equals(OptionalLong.of(lease.node()));
        if (owned) {
            leases.put(lease.resource(), new Held(lease.resource(), OptionalLong.empty(), lease.token()));
        }
        return owned;
    }

    /** Ends whatever ownership there is, also of a resource that was never taken. */
    void raise(String resource) {
        leases.put(resource, new Held(resource, OptionalLong.empty(), token(resource) + 1));
    }

    void knows(long no, Set<String> children) {
        nodes.computeIfPresent(no, (n, node) -> new Node(n, node.name(), node.heartbeat(), children));
    }

    long sweep(Predicate<String> gone) {
        long before = leases.size();
        leases.values().removeIf(held -> held.node().isEmpty() && gone.test(held.resource()));
        return before - leases.size();
    }

    /** MUST be called in the transaction that it fences: a token that was the highest a moment ago proves nothing. */
    void fence(Lease lease) {
        if (token(lease.resource()) != lease.token()) {
            throw new FencedException(lease);
        }
    }

    private long token(String resource) {
        Held held = leases.get(resource);
        return held == null ? 0 : held.token();
    }
}
