// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The nodes and what they own. No clock decides here: observers watch counters on their own monotonic clocks, and a
 * lease moves by compare-and-set on its token.
 */
public interface Leases {

    /**
     * A node as stored.
     *
     * @param no its number, never used again
     * @param name its name, for people
     * @param heartbeat its counter
     * @param children the children that it can run
     */
    record Node(long no, String name, long heartbeat, Set<String> children) {

        /** Copies the set. */
        public Node {
            children = Set.copyOf(children);
        }
    }

    /**
     * A lease as stored.
     *
     * @param resource what is owned
     * @param node the owner; empty when it was released
     * @param token the highest token given so far
     */
    record Held(String resource, OptionalLong node, long token) {}

    /**
     * A partition of a child in which something is asked for parked events.
     *
     * @param attachment the number of the child's attachment
     * @param partition the partition of its stream
     */
    record Asked(int attachment, int partition) {}

    /**
     * All nodes, leases, heads, streams and children, at one moment. MUST be of one snapshot: an attachment is begun under a lease
     * of the same survey, and whoever changes it afterwards has raised the token that the taker compares.
     *
     * @param nodes the nodes
     * @param leases the leases taken so far; a resource that never was is absent, or has no owner and the token 0
     * @param heads for each partition that holds records, the position behind its last
     * @param layout the streams and the attached children
     * @param asked where something is asked for parked events
     */
    record Survey(
            List<Node> nodes, List<Held> leases, Map<StreamPartition, Long> heads, Layout layout, Set<Asked> asked) {

        /** Copies the collections. */
        public Survey {
            nodes = List.copyOf(nodes);
            leases = List.copyOf(leases);
            heads = Map.copyOf(heads);
            asked = Set.copyOf(asked);
        }
    }

    /**
     * Adds a node.
     *
     * @param name its name, for people
     * @param children the children that it can run
     * @return its number, never used before
     */
    long join(String name, Set<String> children);

    /**
     * Raises a node's counter. Runs apart from all other work, so that nothing can starve it.
     *
     * @param node which node
     * @return false if others have removed the node: it must join again
     */
    boolean beat(long node);

    /**
     * Says what a node can run from now on.
     *
     * @param node which node
     * @param children the children that it can run
     */
    void knows(long node, Set<String> children);

    /**
     * Reads everything, in one statement.
     *
     * @return the survey
     */
    Survey survey();

    /**
     * Takes a resource that is free, or whose owner is dead, by compare-and-set. Whatever still blocks it on behalf of
     * a dead owner (a transaction that holds the lease row) is ended.
     *
     * @param resource what to own
     * @param seen the token last seen, 0 for a resource that never was taken
     * @param node the new owner
     * @return the lease with its new token; empty if another was first
     */
    Optional<Lease> take(String resource, long seen, long node);

    /**
     * Gives a resource back, at once free for others, and tells them.
     *
     * @param lease what to give back; nothing happens if it has been taken since
     */
    void release(Lease lease);

    /**
     * Removes a node: oneself at a graceful stop, or one that has long been dead.
     *
     * @param node which node
     */
    void remove(long node);
}
