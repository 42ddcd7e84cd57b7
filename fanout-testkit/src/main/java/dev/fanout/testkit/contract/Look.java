// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import dev.fanout.spi.Frontier;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Outbox.Request;
import dev.fanout.spi.StreamPartition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Builds a relay's requests for the contract: everything beyond the start, with events, if nothing else is said. */
final class Look {

    static final int LANE = 0;

    private final Lease lease;
    private final Map<StreamPartition, Long> tails = new HashMap<>();
    private Frontier frontier = Frontier.START;
    private boolean full;
    private boolean expected = true;
    private int limit = 4096;
    private long bytes = 4 << 20;
    private boolean withEvents = true;
    private boolean announce;

    Look(Lease lease) {
        this.lease = lease;
    }

    Look beyond(long mark, Frontier.Range... missing) {
        frontier = new Frontier(mark, List.of(missing));
        return this;
    }

    Look full() {
        full = true;
        return this;
    }

    Look unexpecting() {
        expected = false;
        return this;
    }

    Look limit(int rows) {
        limit = rows;
        return this;
    }

    Look bytes(long cap) {
        bytes = cap;
        return this;
    }

    Look withoutEvents() {
        withEvents = false;
        return this;
    }

    Look remembering(StreamPartition partition, long tail) {
        tails.put(partition, tail);
        return this;
    }

    Look announcing() {
        announce = true;
        return this;
    }

    Request build() {
        return new Request(lease, LANE, frontier, full, expected, limit, bytes, withEvents, tails, announce);
    }
}
