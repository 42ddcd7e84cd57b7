// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.node;

import dev.fanout.Settings;
import dev.fanout.internal.step.Next;
import dev.fanout.internal.step.Worker;
import dev.fanout.spi.Leases;
import dev.fanout.spi.Platform;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/**
 * This node's place among the others: joins, raises the counter, and knows until when its leases can't have been taken.
 *
 * <p>Others take this node for dead when they have not seen its counter move for the length of a lease. So its leases are
 * safe for that long from <em>before</em> the last renewal that succeeded was sent; a fifth of it is kept as a margin for
 * a step that has already begun. If renewals fail for longer, every worker stands still by itself.
 */
public final class Membership implements Worker {

    private final Leases leases;
    private final Settings settings;
    private final Platform platform;
    private final String name;
    private final Supplier<Set<String>> children;

    private Set<String> told = Set.of();
    private volatile long node = -1;
    private volatile long renewed;
    private volatile Runnable joined = () -> {};

    /**
     * Makes a node that has not joined.
     *
     * @param leases where nodes are kept
     * @param settings the numbers
     * @param platform the clock
     * @param name the node's name, for people
     * @param children the children that it can run, at any moment
     */
    public Membership(
            Leases leases, Settings settings, Platform platform, String name, Supplier<Set<String>> children) {
        this.leases = leases;
        this.settings = settings;
        this.platform = platform;
        this.name = name;
        this.children = children;
    }

    @Override
    public String name() {
        return "heartbeat";
    }

    @Override
    public Next step() {
        long begun = platform.nanoTime();
        Set<String> able = children.get();
        if (node >= 0 && leases.beat(node)) {
            renewed = begun;
            tellIfChanged(able);
        } else {
            node = leases.join(name, able);
            told = able;
            renewed = begun;
            joined.run();
        }
        return Next.after(settings.heartbeatInterval());
    }

    private void tellIfChanged(Set<String> able) {
        if (!able.equals(told)) {
            leases.knows(node, able);
            told = able;
            joined.run();
        }
    }

    /**
     * Sets what to do each time the node has joined, or can run other children than before.
     *
     * @param action what to do
     */
    public void onJoined(Runnable action) {
        joined = action;
    }

    /**
     * Returns this node's number.
     *
     * @return the number, or empty before it has joined
     */
    public OptionalLong node() {
        long current = node;
        return current < 0 ? OptionalLong.empty() : OptionalLong.of(current);
    }

    /**
     * Returns whether leases of a node number can't have been taken yet.
     *
     * @param owner the node number under which they were taken
     * @return false if they may have been
     */
    public boolean isSafe(long owner) {
        Duration margin = settings.leaseLength().dividedBy(5);
        long safe = settings.leaseLength().minus(margin).toNanos();
        return owner == node && platform.nanoTime() - renewed < safe;
    }

    /** Leaves, so that others need not wait for the counter. */
    public void leave() {
        long current = node;
        if (current >= 0) {
            node = -1;
            leases.remove(current);
        }
    }
}
