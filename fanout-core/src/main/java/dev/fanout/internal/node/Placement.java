// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.node;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.OptionalLong;

/**
 * Which node should own a resource: the one with the highest score for it (rendezvous hashing; Thaler and Ravishankar,
 * 1998). All nodes come to the same answer from the same list, and a node that comes or goes moves only its own share.
 */
final class Placement {

    private Placement() {}

    static OptionalLong owner(String resource, Collection<Long> nodes) {
        OptionalLong best = OptionalLong.empty();
        long bestScore = 0;
        for (long node : nodes) {
            long score = score(resource, node);
            if (best.isEmpty() || score > bestScore || (score == bestScore && node > best.getAsLong())) {
                best = OptionalLong.of(node);
                bestScore = score;
            }
        }
        return best;
    }

    /** The finalizer of MurmurHash3 (Appleby) over resource and node. */
    private static long score(String resource, long node) {
        long hash = node * 0x9e3779b97f4a7c15L;
        for (byte b : resource.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ b) * 0x100000001b3L;
        }
        hash ^= hash >>> 33;
        hash *= 0xff51afd7ed558ccdL;
        hash ^= hash >>> 33;
        hash *= 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }
}
