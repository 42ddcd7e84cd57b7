// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.relay;

import dev.fanout.FanoutException;
import dev.fanout.FanoutListener;
import dev.fanout.FanoutListener.WakeSource;
import dev.fanout.Settings;
import dev.fanout.internal.cursor.Slabs;
import dev.fanout.internal.node.Ownership;
import dev.fanout.internal.step.Next;
import dev.fanout.internal.step.Worker;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Lease;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Outbox;
import dev.fanout.spi.Outbox.Placed;
import dev.fanout.spi.Outbox.Publication;
import dev.fanout.spi.Platform;
import dev.fanout.spi.StreamPartition;
import dev.fanout.spi.UnreadableException;
import dev.fanout.spi.Wakes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves one lane's committed outbox rows to the log, in the order of their ids.
 *
 * <p>One step is one look: one statement, one snapshot, at most a slab of rows, published in one fenced transaction. There
 * is no reading position that could pass a row by. A row that commits late is simply in a later look, so nobody's long
 * transaction stalls the lane, no timeout decides that a row will not come, and within an entity ids are versions (the
 * entity's lock is held when an id is drawn), so the log's order per entity is version order.
 *
 * <p>What the relay keeps in memory only saves work, and all of it can be read again: how far it is ({@link
 * FrontierTracker}), where each partition ends (the tails), whether it may sleep ({@link Wakefulness}). Its commits do not
 * wait for the disk, so a crashed server may have forgotten some that memory still knows. The store compares the log's
 * tails with the remembered ones in each publication and refuses, and the relay reads everything again.
 *
 * <p>What it has published it hands to this node's cursors in memory where they stand close enough to want it.
 */
public final class RelayWorker implements Worker {

    private static final Logger LOG = LoggerFactory.getLogger(RelayWorker.class);

    private final Lease lease;
    private final int lane;
    private final Outbox outbox;
    private final Wakes wakes;
    private final Slabs slabs;
    private final Settings settings;
    private final Platform platform;
    private final FanoutListener listener;
    private final Ownership ownership;
    private final BooleanSupplier othersListen;

    private final AtomicReference<@Nullable WakeSource> woken = new AtomicReference<>();
    private final AtomicLong hintedUntil;
    private final AtomicBoolean hintPending = new AtomicBoolean();
    private volatile boolean busy;

    private @Nullable Memory memory;
    private boolean bare;

    /** All that can be read again. */
    private static final class Memory {
        private final FrontierTracker frontier;
        private final Wakefulness wakefulness;
        private final Map<StreamPartition, Long> tails = new HashMap<>();
        private long lastLook;
        private boolean more;

        Memory(FrontierTracker frontier, Wakefulness wakefulness, long lastLook) {
            this.frontier = frontier;
            this.wakefulness = wakefulness;
            this.lastLook = lastLook;
        }
    }

    /**
     * Makes the relay of a lane.
     *
     * @param lease the lane's lease
     * @param lane the lane
     * @param outbox where rows come from
     * @param wakes how it hears of them
     * @param slabs where this node's cursors find what was just published
     * @param settings the numbers
     * @param platform the clock
     * @param listener who hears of it
     * @param ownership whether the lease may still be used
     * @param othersListen whether other nodes may wait for records
     */
    public RelayWorker(
            Lease lease,
            int lane,
            Outbox outbox,
            Wakes wakes,
            Slabs slabs,
            Settings settings,
            Platform platform,
            FanoutListener listener,
            Ownership ownership,
            BooleanSupplier othersListen) {
        this.lease = lease;
        this.lane = lane;
        this.outbox = outbox;
        this.wakes = wakes;
        this.slabs = slabs;
        this.settings = settings;
        this.platform = platform;
        this.listener = listener;
        this.ownership = ownership;
        this.othersListen = othersListen;
        this.hintedUntil = new AtomicLong(platform.nanoTime());
    }

    @Override
    public String name() {
        return lease.resource();
    }

    /**
     * Tells that rows are committed.
     *
     * @param source who says so
     * @return whether a step is worth while now; a busy relay looks soon anyway, and finds more
     */
    public boolean notified(WakeSource source) {
        woken.set(source);
        return !busy;
    }

    /**
     * Tells that rows of this process are about to be committed: it will look every half millisecond for a while.
     *
     * @return how long until a step is worth while; empty if one is coming
     */
    public Optional<Duration> hinted() {
        hintedUntil.set(platform.nanoTime() + Wakefulness.HINT_LASTS.toNanos());
        return busy || hintPending.getAndSet(true) ? Optional.empty() : Optional.of(Wakefulness.HINT_POLL);
    }

    @Override
    public Next step() {
        hintPending.set(false);
        if (!ownership.holds(lease)) {
            return Next.idleFor(settings.reconcileInterval());
        }
        try {
            return look(memory());
        } catch (FencedException stale) {
            listener.fenced(lease.resource());
            ownership.lost(lease);
            return Next.ON_SIGNAL;
        } catch (ForgottenException forgotten) {
            listener.reloaded(lease.resource());
            memory = null;
            slabs.clear();
            return Next.NOW;
        } catch (UnreadableException | OutOfMemoryError tooMuch) {
            return withoutEvents(tooMuch);
        } catch (RuntimeException failure) {
            // the pause after a failure is long: whoever tells of rows, or of a new connection, is heard
            busy = false;
            // and an answer may have been too large for the time that it had
            bare = true;
            throw failure;
        }
    }

    /**
     * Publishes next without reading any event back: what can't be read is the business of the cursors that meet it, and
     * must not stop the lane. Whether the failed look published anything is not known, so the cursors look for themselves.
     */
    private Next withoutEvents(Throwable tooMuch) {
        memory = null;
        slabs.clear();
        slabs.allGrown();
        if (bare) {
            busy = false;
            throw new FanoutException("lane " + lane + " can't be published, although no event was asked for", tooMuch);
        }
        bare = true;
        LOG.warn("lane={} events can't be read back, publishing goes on without reading them", lane, tooMuch);
        return Next.NOW;
    }

    private Memory memory() {
        if (memory == null) {
            long now = platform.nanoTime();
            memory = new Memory(
                    new FrontierTracker(outbox.frontier(lane)),
                    new Wakefulness(settings, wakes, lane, now),
                    now - settings.pollInterval().toNanos());
        }
        return memory;
    }

    private Next look(Memory known) {
        long begun = platform.nanoTime();
        WakeSource told = woken.getAndSet(null);
        WakeSource source = told != null ? told : unbidden(known, begun);
        boolean expected = told != null || known.more || busy;
        Publication look = outbox.publish(request(known, source == WakeSource.BACKSTOP, expected));
        afterFailure();
        known.lastLook = begun;
        int rows = look.placed().size();
        boolean full = rows >= settings.slabRecords();
        known.more = full;
        known.frontier.saw(look, full);
        if (rows > 0) {
            handOn(known, look.placed());
            listener.published(lane, rows, source);
        }
        Next next = rows == 0
                ? known.wakefulness.afterNone(look, platform.nanoTime(), isHinted())
                : known.wakefulness.afterRows(rows, full, platform.nanoTime());
        busy = known.wakefulness.isBusy();
        return next;
    }

    /** A look whose answer was lost may have published, and the cursors of this node were not told. */
    private void afterFailure() {
        if (bare) {
            bare = false;
            slabs.allGrown();
        }
    }

    private WakeSource unbidden(Memory known, long now) {
        boolean undisturbed = now - known.lastLook >= settings.pollInterval().toNanos();
        return undisturbed ? WakeSource.BACKSTOP : isHinted() ? WakeSource.LOCAL : WakeSource.POLL;
    }

    private boolean isHinted() {
        return platform.nanoTime() - hintedUntil.get() < 0;
    }

    private Outbox.Request request(Memory known, boolean full, boolean expected) {
        return new Outbox.Request(
                lease,
                lane,
                known.frontier.frontier(),
                full,
                expected,
                settings.slabRecords(),
                settings.slabBytes(),
                !bare && slabs.isWanted(known.tails),
                known.tails,
                othersListen.getAsBoolean());
    }

    private void handOn(Memory known, List<Placed> placed) {
        Map<StreamPartition, List<LogRecord>> records = new LinkedHashMap<>();
        for (Placed row : placed) {
            known.tails.put(row.at(), row.position() + 1);
            List<LogRecord> of = records.computeIfAbsent(row.at(), at -> new ArrayList<>());
            row.record().ifPresent(of::add);
        }
        records.forEach((at, fresher) -> slabs.published(at, known.tails.getOrDefault(at, 0L), fresher));
    }
}
