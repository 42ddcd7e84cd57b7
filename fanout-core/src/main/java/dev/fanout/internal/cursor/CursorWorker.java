// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.FanoutListener;
import dev.fanout.Outcome;
import dev.fanout.Settings;
import dev.fanout.StoreUnavailableException;
import dev.fanout.internal.cursor.Held.Poison;
import dev.fanout.internal.cursor.SlabPlan.Due;
import dev.fanout.internal.node.Ownership;
import dev.fanout.internal.step.Backoff;
import dev.fanout.internal.step.Next;
import dev.fanout.internal.step.Worker;
import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Gate;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Layout.Attachment;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Log;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Platform;
import dev.fanout.spi.Store;
import dev.fanout.spi.StreamPartition;
import dev.fanout.spi.UnreadableException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Drives one child through one partition: read a slab exactly at the cursor, drop what the filter and the gate have against,
 * deliver the rest, wait for every acknowledgement, and only then write gates and cursor, fenced by the lease.
 *
 * <p>The effect comes before the cursor, so a crash between them repeats and never loses. Whatever fails, the next step
 * begins at the cursor as stored, with what was acknowledged before the failure behind it or behind its gate. The cursor
 * moves over all that was examined, delivered or not.
 *
 * <p>The position and the gates in memory are those that this worker wrote itself under its lease, and a slab may be from
 * memory too. A ledger whose head is another, or a log that does not hold the last record of the step as it was delivered
 * (a crash lost an asynchronous commit), refuses the write, and everything is read again. A foreign store has the
 * events by then, newer ones before those that are repeated; so a connection that was lost is reason enough to read
 * everything again before the next delivery.
 *
 * <p>States: idle → delivering → idle; delivering → failing, where nothing of the child succeeds: it pauses, ever longer, and
 * sets nothing aside; delivering → holding, where others succeed and some entities don't: those alone pause, and are parked
 * if they go on failing ({@link Held}).
 *
 * @param <T> the transaction handle of the store
 */
public final class CursorWorker<T> implements Worker, Slabs.Reader {

    /** A delay child looks at the database's clock at least this often. */
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(30);

    private final Lease lease;
    private final Attachment attachment;
    private final StreamPartition partition;
    private final Drive<T> drive;
    private final Delivery<T> delivery;
    private final Ledger<T> ledger;
    private final Reading reading;
    private final Replay<T> replay;
    private final Held held;
    private final Pace pace;
    private final Slabs slabs;
    private final Settings settings;
    private final FanoutListener listener;
    private final Ownership ownership;
    private final Reports reports;
    private final Platform platform;
    private final Backoff backoff;
    private final Runnable signal;

    private final AtomicBoolean doubted = new AtomicBoolean();
    private final AtomicBoolean asked = new AtomicBoolean(true);
    private volatile boolean trusting = true;
    private volatile @Nullable Pause sleep;

    private boolean over;
    private boolean lastWasFull;
    private boolean lingered;
    private @Nullable Pause pause;

    /**
     * Makes the cursor of a child in a partition.
     *
     * @param lease the lease of the child's partition
     * @param attachment the child's attachment
     * @param partition the partition
     * @param store where records are read, and cursors, gates and parked events kept
     * @param drive what the child drives
     * @param surroundings what all cursors of the node share
     * @param signal asks for a step
     */
    public CursorWorker(
            Lease lease,
            Attachment attachment,
            StreamPartition partition,
            Store<T> store,
            Drive<T> drive,
            Surroundings surroundings,
            Runnable signal) {
        this.lease = lease;
        this.attachment = attachment;
        this.partition = partition;
        this.drive = drive;
        this.slabs = surroundings.slabs();
        this.settings = surroundings.settings();
        this.listener = surroundings.listener();
        this.ownership = surroundings.ownership();
        this.platform = surroundings.platform();
        this.signal = signal;
        this.delivery = drive.delivery(store.cursors(), new Handler(platform, settings.handlerTimeout()), platform);
        this.ledger = new Ledger<>(lease, attachment, partition.partition(), store.cursors());
        this.reading = new Reading(partition, attachment.delay(), store.log(), slabs);
        this.replay = new Replay<>(
                attachment, partition.partition(), store.parked(), drive, delivery, settings, ledger, this::arrived);
        this.backoff = new Backoff(platform, settings.retryBackoff(), settings.retryBackoffCap());
        this.reports = new Reports(attachment, partition.partition(), listener, surroundings.waits());
        this.held = new Held(drive.health(), settings, backoff);
        this.pace = new Pace(settings.slabRecords(), settings.slabBytes());
    }

    @Override
    public String name() {
        return lease.resource();
    }

    /**
     * Returns whose cursor it is.
     *
     * @return the child's name
     */
    public String child() {
        return attachment.child();
    }

    /**
     * Returns for which attachment it is.
     *
     * @return the attachment
     */
    public Attachment attachment() {
        return attachment;
    }

    @Override
    public StreamPartition partition() {
        return partition;
    }

    @Override
    public long position() {
        return ledger.position();
    }

    @Override
    public void grown() {
        Pause known = sleep;
        // nothing that comes now is due before what it sleeps for
        if (known == null || known.left(platform.nanoTime()).isZero()) {
            signal.run();
        }
    }

    /** Tells that something is asked for parked events. */
    public void asked() {
        asked.set(true);
        signal.run();
    }

    /** Tells that what it remembers may be more than the store does. */
    public void doubt() {
        doubted.set(true);
    }

    /**
     * Says whether it would be told of a lost connection. Where it would not, each step begins with what is stored.
     *
     * @param told whether somebody calls {@link #doubt()} when there is reason to
     */
    public void trust(boolean told) {
        trusting = told;
    }

    @Override
    public Next step() throws Exception {
        if (over) {
            return Next.ON_SIGNAL;
        }
        if (!ownership.holds(lease)) {
            return Next.idleFor(settings.reconcileInterval());
        }
        sleep = null;
        Duration left = leftOfPause();
        if (!left.isZero()) {
            return Next.idleFor(left);
        }
        if (doubted.getAndSet(false)) {
            forget();
        } else if (!trusting) {
            ledger.reload();
        }
        try {
            return asked.getAndSet(false) ? replay() : examine();
        } catch (StoreUnavailableException lost) {
            doubt();
            // so much may have taken longer than an answer may
            pace.slower();
            throw lost;
        } catch (FencedException stale) {
            over = true;
            listener.fenced(lease.resource());
            ownership.lost(lease);
            return Next.ON_SIGNAL;
        } catch (ForgottenException forgotten) {
            listener.reloaded(lease.resource());
            forget();
            return Next.NOW;
        } catch (UnreadableException | OutOfMemoryError tooMuch) {
            forget();
            return withLess(tooMuch);
        }
    }

    /** Reads less and less, at last event by event: only the one that can't be read is in the way. */
    private Next withLess(Throwable tooMuch) {
        if (pace.isSlowest()) {
            return failing(Outcome.failed(tooMuch));
        }
        pace.slower();
        reports.unreadable(ledger.position(), pace.records(), tooMuch);
        return Next.NOW;
    }

    private Duration leftOfPause() {
        Pause known = pause;
        return known == null ? Duration.ZERO : known.left(platform.nanoTime());
    }

    private void forget() {
        ledger.forget();
        held.clear();
        slabs.clear();
        asked.set(true);
    }

    /** One page of what is asked for parked events, then whatever is next. */
    private Next replay() throws Exception {
        Replay.Page page;
        boolean done = false;
        try {
            page = replay.next();
            done = !page.worked();
        } finally {
            if (!done) {
                asked.set(true);
            }
        }
        return page.refusal()
                .map(refusal -> refusal instanceof Outcome.Retry ? failing(refusal) : Next.NOW)
                .orElse(Next.NOW);
    }

    private Next examine() throws Exception {
        Log.Slab slab = reading.read(ledger.at().position(), pace.records(), pace.bytes());
        List<LogRecord> records = slab.records();
        if (records.isEmpty()) {
            lastWasFull = false;
            return slab.dueIn().map(this::sleepUntilDue).orElse(Next.ON_SIGNAL);
        }
        if (isWorthFattening(records)) {
            lingered = true;
            return Next.after(settings.linger());
        }
        lingered = false;
        lastWasFull = records.size() >= pace.records();
        long begun = platform.nanoTime();
        Next next = deliver(records, begun);
        pace.took(records.size(), platform.nanoTime() - begun);
        return next;
    }

    private Next sleepUntilDue(Duration dueIn) {
        Duration length = dueIn.compareTo(LONGEST_SLEEP) < 0 ? dueIn : LONGEST_SLEEP;
        sleep = new Pause(platform.nanoTime(), length);
        return Next.after(length);
    }

    /** A cursor that was busy waits once for a thin slab to grow; one that was idle never does. */
    private boolean isWorthFattening(List<LogRecord> slab) {
        return lastWasFull && !lingered && slab.size() < pace.records() / 4;
    }

    private Next deliver(List<LogRecord> records, long begun) throws Exception {
        Map<Long, Fate> settled = new HashMap<>(ledger.ahead());
        Set<Long> still = new HashSet<>(held.waiting(begun));
        filter(records, settled, still);
        SlabPlan plan = new SlabPlan(records, settled, gatesOf(records, settled), still, drive.latestOnly());
        SlabSteps<T> steps = new SlabSteps<>(plan, ledger, drive, this::arrived);
        Round<T> round = new Round<>(plan, delivery, steps, held, drive.health(), platform);
        round.run();
        List<Poison> poison = poison(plan, round, begun);
        if (plan.hasNews(ledger.at().position()) || !poison.isEmpty()) {
            Advance step = steps.step(poison.stream().map(Poison::blocked).toList());
            ledger.writeOnly(step);
            steps.written(step);
            reports.parked(poison);
        }
        ledger.ahead().putAll(plan.ahead());
        return next(plan, round, !poison.isEmpty());
    }

    /** A filter that fails is a failure of the event: its entity is held like any other that fails. */
    private void filter(List<LogRecord> records, Map<Long, Fate> settled, Set<Long> still) {
        for (LogRecord record : records) {
            if (settled.containsKey(record.position()) || still.contains(record.entityNo())) {
                continue;
            }
            try {
                if (!drive.passes(record.event())) {
                    settled.put(record.position(), Fate.FILTERED);
                }
            } catch (RuntimeException | Error failure) {
                still.add(record.entityNo());
                held.failed(record, Outcome.failed(failure), platform.nanoTime());
            }
        }
    }

    private Map<Long, Gate> gatesOf(List<LogRecord> slab, Map<Long, Fate> settled) {
        Set<Long> entities = new LinkedHashSet<>();
        for (LogRecord record : slab) {
            if (!settled.containsKey(record.position())) {
                entities.add(record.entityNo());
            }
        }
        return ledger.gates(entities);
    }

    /** The entities to set aside, settled as parked. */
    private List<Poison> poison(SlabPlan plan, Round<T> round, long begun) {
        boolean alone = !round.hasSucceeded()
                && plan.due().stream().map(Due::entityNo).distinct().count() <= 1;
        List<Poison> poison = held.takePoison(begun, platform.nanoTime(), alone);
        poison.forEach(one -> plan.park(one.record().entityNo()));
        return poison;
    }

    private Next next(SlabPlan plan, Round<T> round, boolean parked) {
        Outcome refusal = round.refusal();
        boolean standsStill = !round.hasSucceeded() && !parked;
        if (refusal != null && (round.retry() != null || standsStill)) {
            return failing(refusal);
        }
        if (refusal != null && !parked) {
            reports.failed(
                    refusal, ledger.position(), held.next(platform.nanoTime()).orElse(Duration.ZERO));
        } else if (held.isEmpty()) {
            reports.flows();
        }
        boolean stuck = standsStill && plan.settledFromStart() == 0;
        return stuck ? held.next(platform.nanoTime()).map(Next::after).orElse(Next.NOW) : Next.NOW;
    }

    /** Nothing succeeds, or the projection asked for it: the whole partition waits. */
    private Next failing(Outcome refusal) {
        Duration length =
                refusal instanceof Outcome.Retry retry ? retry.after() : backoff.pause(reports.failures() + 1);
        pause = new Pause(platform.nanoTime(), length);
        reports.failed(refusal, ledger.position(), length);
        return Next.after(length);
    }

    private void arrived(Advance step, List<LogRecord> acknowledged) {
        drive.wrote(step);
        reports.written(step, acknowledged);
    }
}
