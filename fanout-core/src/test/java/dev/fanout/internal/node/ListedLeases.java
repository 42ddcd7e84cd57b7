// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.node;

import dev.fanout.StoreUnavailableException;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Leases;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Nodes and leases as lists in memory; the database can be cut off, and answers be lost on the way back. */
final class ListedLeases implements Leases {

    private static final Layout NOTHING = new Layout(List.of(), List.of());

    private final Map<Long, Node> nodes = new LinkedHashMap<>();
    private final Map<String, Held> leases = new LinkedHashMap<>();
    private long nextNode = 1;
    boolean down;
    boolean answersLost;
    Runnable duringSurvey = () -> {};

    @Override
    public long join(String name, Set<String> children) {
        reach();
        nodes.put(nextNode, new Node(nextNode, name, 0, children));
        return nextNode++;
    }

    @Override
    public boolean beat(long node) {
        reach();
        return nodes.computeIfPresent(node, (no, was) -> new Node(no, was.name(), was.heartbeat() + 1, was.children()))
                != null;
    }

    @Override
    public void knows(long node, Set<String> children) {
        reach();
        nodes.computeIfPresent(node, (no, was) -> new Node(no, was.name(), was.heartbeat(), children));
    }

    @Override
    public Survey survey() {
        reach();
        Survey survey =
                new Survey(List.copyOf(nodes.values()), List.copyOf(leases.values()), Map.of(), NOTHING, Set.of());
        duringSurvey.run();
        return survey;
    }

    @Override
    public Optional<Lease> take(String resource, long seen, long node) {
        reach();
        Held held = leases.getOrDefault(resource, new Held(resource, OptionalLong.empty(), 0));
        if (held.token() != seen) {
            return Optional.empty();
        }
        leases.put(resource, new Held(resource, OptionalLong.of(node), seen + 1));
        if (answersLost) {
            throw new StoreUnavailableException("the answer was lost", null);
        }
        return Optional.of(new Lease(resource, node, seen + 1));
    }

    @Override
    public void release(Lease lease) {
        reach();
        leases.computeIfPresent(
                lease.resource(),
                (resource, held) ->
                        held.token() == lease.token() ? new Held(resource, OptionalLong.empty(), held.token()) : held);
    }

    @Override
    public void remove(long node) {
        reach();
        nodes.remove(node);
    }

    /** As a detach does: frees the resource under a higher token. */
    void raise(String resource) {
        leases.computeIfPresent(resource, (name, held) -> new Held(name, OptionalLong.empty(), held.token() + 1));
    }

    OptionalLong owner(String resource) {
        return leases.getOrDefault(resource, new Held(resource, OptionalLong.empty(), 0))
                .node();
    }

    long token(String resource) {
        return leases.get(resource).token();
    }

    private void reach() {
        if (down) {
            throw new StoreUnavailableException("cut off", null);
        }
    }
}
