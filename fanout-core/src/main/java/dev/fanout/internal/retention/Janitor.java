// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.retention;

import dev.fanout.Settings;
import dev.fanout.internal.node.Ownership;
import dev.fanout.internal.step.Next;
import dev.fanout.internal.step.Worker;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Limits;
import dev.fanout.spi.Platform;
import dev.fanout.spi.Retention;
import dev.fanout.spi.StreamPartition;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes published records that are older than their stream keeps them, on one node of all.
 *
 * <p>A round goes through all partitions, a bounded batch each step, and is followed by a pause. It waits for nobody and nobody
 * waits for it: a batch locks the rows that it removes, which no other worker ever locks. Where a removal would take away what a
 * child has not read, it does: a stream is not wedged by one child. The cursor of that child counts what it missed.
 *
 * <p>The moment before which records go is drawn from a reading of the database's clock that was compared with this node's
 * monotonic clock, and handed to the removal: MUST NOT be read anew by the removal, whose clock may have jumped since. After a
 * jump nothing is removed for as long as {@link SteadyClock} doubts; a stream that grows meanwhile costs disk, one that was
 * emptied by mistake costs data.
 *
 * <p>States: watching (no reading to compare with) → removing ⇄ resting; any → doubting (the clock jumped) → removing.
 */
public final class Janitor implements Worker {

    private static final Logger LOG = LoggerFactory.getLogger(Janitor.class);

    private final Lease lease;
    private final Retention retention;
    private final Supplier<Layout> layout;
    private final Settings settings;
    private final Platform platform;
    private final Ownership ownership;
    private final SteadyClock clock = new SteadyClock();
    private final Map<StreamPartition, Long> kept = new HashMap<>();

    /**
     * Makes a janitor.
     *
     * @param lease its lease
     * @param retention what removes records
     * @param layout the streams and children, at any moment
     * @param settings the numbers; it rests for 60 reconcile intervals, a minute by default
     * @param platform the monotonic clock
     * @param ownership whether the lease may still be used
     */
    public Janitor(
            Lease lease,
            Retention retention,
            Supplier<Layout> layout,
            Settings settings,
            Platform platform,
            Ownership ownership) {
        this.lease = lease;
        this.retention = retention;
        this.layout = layout;
        this.settings = settings;
        this.platform = platform;
        this.ownership = ownership;
    }

    @Override
    public String name() {
        return lease.resource();
    }

    @Override
    public Next step() {
        if (!ownership.holds(lease)) {
            return Next.idleFor(settings.reconcileInterval());
        }
        try {
            return look();
        } catch (FencedException stale) {
            ownership.lost(lease);
            return Next.ON_SIGNAL;
        }
    }

    private Next look() {
        long nanos = platform.nanoTime();
        Instant now = retention.now();
        return switch (clock.saw(now, nanos)) {
            case STEADY -> remove(now) ? Next.NOW : rest();
            case JUMPED -> {
                LOG.warn(
                        "the database's clock jumped to now={}: no records are removed until it has run evenly for {};"
                                + " set it right",
                        now,
                        SteadyClock.TRUST);
                yield rest();
            }
            case FIRST, DOUBTED -> rest();
        };
    }

    private Next rest() {
        return Next.after(settings.reconcileInterval().multipliedBy(60));
    }

    /** One batch of each partition. Returns whether some were full, so that there may be more. */
    private boolean remove(Instant now) {
        Layout known = layout.get();
        boolean more = false;
        for (Layout.Stream stream : known.streams()) {
            Instant before = now.minus(keptFor(stream, known));
            for (int partition = 0; partition < stream.partitions(); partition++) {
                more |= remove(new StreamPartition(stream.no(), partition), before);
            }
        }
        return more;
    }

    private boolean remove(StreamPartition partition, Instant before) {
        long from = kept.getOrDefault(partition, 0L);
        Retention.Batch batch = retention.remove(lease, partition, from, before, settings.slabRecords());
        kept.put(partition, batch.next());
        return batch.records() >= settings.slabRecords();
    }

    /** What the stream says, and never less than its children need. */
    private static Duration keptFor(Layout.Stream stream, Layout layout) {
        Duration longest = layout.attachments().stream()
                .filter(attachment -> attachment.stream() == stream.no())
                .map(Layout.Attachment::delay)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        Duration floor = longest.isZero() ? Duration.ZERO : longest.plus(Limits.BEYOND_DELAY);
        return stream.retention().compareTo(floor) < 0 ? floor : stream.retention();
    }
}
