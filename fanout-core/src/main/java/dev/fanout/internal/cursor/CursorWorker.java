// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.FanoutListener;
import dev.fanout.Outcome;
import dev.fanout.Settings;
import dev.fanout.StoreUnavailableException;
import dev.fanout.internal.await.Waits;
import dev.fanout.internal.node.Ownership;
import dev.fanout.internal.step.Backoff;
import dev.fanout.internal.step.Next;
import dev.fanout.internal.step.Worker;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Cursors.Cursor;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Layout.Attachment;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Log;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Platform;
import dev.fanout.spi.StreamPartition;
import dev.fanout.spi.UnreadableException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives one child through one partition: read a slab exactly at the cursor, drop what the gate has passed, deliver the
 * rest, wait for every acknowledgement, and only then write gate and cursor, fenced by the lease.
 *
 * <p>The effect comes before the cursor, so a crash between them repeats and never loses. Whatever fails, the next step
 * begins at the cursor as stored, with what was acknowledged before the failure behind it. The cursor moves over all that
 * was examined, delivered or not.
 *
 * <p>The position and the gates in memory are those that this worker wrote itself under its lease, and a slab may be from
 * memory too. A ledger whose head is another, or a log that does not hold the last record of the step as it was delivered
 * (a crash lost an asynchronous commit), refuses the write, and everything is read again. A foreign store has the
 * events by then, newer ones before those that are repeated; so a connection that was lost is reason enough to read
 * everything again before the next delivery.
 *
 * @param <T> the transaction handle of the store
 */
public final class CursorWorker<T> implements Worker, Fresh.Reader {

    private static final Logger LOG = LoggerFactory.getLogger(CursorWorker.class);

    private final Lease lease;
    private final Attachment attachment;
    private final StreamPartition partition;
    private final Log log;
    private final Cursors<T> cursors;
    private final Delivery<T> delivery;
    private final Fresh fresh;
    private final Settings settings;
    private final FanoutListener listener;
    private final Ownership ownership;
    private final Waits waits;
    private final Platform platform;
    private final Backoff backoff;
    private final Runnable signal;

    private final GateCache gates = new GateCache();
    private final AtomicBoolean grownInLog = new AtomicBoolean(true);
    private final AtomicBoolean doubted = new AtomicBoolean();
    private volatile boolean trusting = true;

    private volatile long position;
    private @Nullable Counts counts;
    private Portion portion;
    private boolean lastWasFull;
    private boolean lingered;
    private int failures;
    private @Nullable Pause pause;

    /**
     * Makes the cursor of a child in a partition.
     *
     * @param lease the lease of the child's partition
     * @param attachment the child's attachment
     * @param partition the partition
     * @param log where records are read
     * @param cursors where cursor and gate are kept
     * @param delivery how events reach the projection
     * @param surroundings what all cursors of the node share
     * @param signal asks for a step
     */
    public CursorWorker(
            Lease lease,
            Attachment attachment,
            StreamPartition partition,
            Log log,
            Cursors<T> cursors,
            Delivery<T> delivery,
            Surroundings surroundings,
            Runnable signal) {
        this.lease = lease;
        this.attachment = attachment;
        this.partition = partition;
        this.log = log;
        this.cursors = cursors;
        this.delivery = delivery;
        this.fresh = surroundings.fresh();
        this.settings = surroundings.settings();
        this.listener = surroundings.listener();
        this.ownership = surroundings.ownership();
        this.waits = surroundings.waits();
        this.platform = surroundings.platform();
        this.backoff = new Backoff(platform, settings.retryBackoff(), settings.retryBackoffCap());
        this.signal = signal;
        this.portion = Portion.slab(settings);
    }

    /**
     * What all cursors of a node share.
     *
     * @param fresh what was just published here
     * @param settings the numbers
     * @param listener who hears of deliveries
     * @param ownership whether leases may still be used
     * @param waits who waits for events
     * @param platform time and randomness for pauses
     */
    public record Surroundings(
            Fresh fresh,
            Settings settings,
            FanoutListener listener,
            Ownership ownership,
            Waits waits,
            Platform platform) {}

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

    @Override
    public StreamPartition partition() {
        return partition;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void grown(boolean here) {
        if (!here) {
            grownInLog.set(true);
        }
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
        if (!ownership.holds(lease)) {
            return Next.idleFor(settings.reconcileInterval());
        }
        Duration left = leftOfPause();
        if (!left.isZero()) {
            return Next.idleFor(left);
        }
        if (doubted.getAndSet(false)) {
            forget();
        } else if (!trusting) {
            counts = null;
            gates.clear();
        }
        try {
            return examine(load());
        } catch (StoreUnavailableException lost) {
            doubt();
            throw lost;
        } catch (FencedException stale) {
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

    /** Reads an eighth from now on, at last event by event (each try may cost the server a second): only the one that can't be read is in the way. */
    private Next withLess(Throwable tooMuch) {
        if (portion.isSmallest()) {
            return refused(Outcome.failed(tooMuch));
        }
        portion = portion.fewer();
        LOG.warn("{} can't read a slab, goes on with records={}", name(), portion.records(), tooMuch);
        return Next.NOW;
    }

    private Duration leftOfPause() {
        if (pause != null) {
            Duration left = pause.left(platform.nanoTime());
            if (!left.isNegative()) {
                return left;
            }
            pause = null;
        }
        return Duration.ZERO;
    }

    private Counts load() {
        Counts known = counts;
        if (known == null) {
            Cursor stored = cursors.cursor(attachment, partition.partition());
            position = stored.position();
            known = stored.counts();
            counts = known;
        }
        return known;
    }

    private void forget() {
        counts = null;
        gates.clear();
        fresh.clear();
        grownInLog.set(true);
    }

    private Next examine(Counts before) throws Exception {
        List<LogRecord> slab = slab();
        if (slab.isEmpty()) {
            lastWasFull = false;
            return Next.ON_SIGNAL;
        }
        if (isWorthFattening(slab)) {
            lingered = true;
            return Next.after(settings.linger());
        }
        lingered = false;
        lastWasFull = slab.size() >= settings.slabRecords();
        return deliver(new SlabPlan(position, slab, gatesOf(slab)), before);
    }

    private List<LogRecord> slab() {
        List<LogRecord> inMemory = fresh.read(partition, position, settings.slabRecords());
        if (!inMemory.isEmpty()) {
            return inMemory;
        }
        if (!grownInLog.getAndSet(false) && fresh.isTail(partition, position)) {
            return List.of();
        }
        return dense(readLog());
    }

    private List<LogRecord> readLog() {
        boolean atEnd = false;
        try {
            List<LogRecord> read = log.read(partition, position, portion.records(), portion.bytes());
            atEnd = read.isEmpty();
            return read;
        } catch (StoreUnavailableException lost) {
            // so much may have taken longer than an answer may
            portion = portion.fewer();
            throw lost;
        } finally {
            if (!atEnd) {
                grownInLog.set(true);
            }
        }
    }

    /** The records up to the first hole: what is missing is then counted when the cursor stands before it. */
    private static List<LogRecord> dense(List<LogRecord> records) {
        for (int i = 1; i < records.size(); i++) {
            if (records.get(i).position() != records.get(i - 1).position() + 1) {
                return records.subList(0, i);
            }
        }
        return records;
    }

    /** A cursor that was busy waits once for a thin slab to grow; one that was idle never does. */
    private boolean isWorthFattening(List<LogRecord> slab) {
        return lastWasFull && !lingered && slab.size() < settings.slabRecords() / 4;
    }

    private Map<Long, Long> gatesOf(List<LogRecord> slab) {
        Set<Long> entities = new LinkedHashSet<>();
        slab.forEach(record -> entities.add(record.entityNo()));
        return gates.of(entities, unknown -> cursors.gates(attachment, unknown));
    }

    private Next deliver(SlabPlan plan, Counts before) throws Exception {
        SlabPlan.Result result = delivery.deliver(plan, done -> advance(before, done));
        if (result.to() > position) {
            arrived(before, result);
        }
        return result.refusal() == null ? succeeded() : refused(result.refusal());
    }

    private Advance advance(Counts before, SlabPlan.Result done) {
        return new Advance(
                lease,
                attachment,
                partition.partition(),
                position,
                done.to(),
                before.plus(done.counts()),
                done.gates(),
                done.passed(),
                done.last());
    }

    private void arrived(Counts before, SlabPlan.Result done) {
        position = done.to();
        counts = before.plus(done.counts());
        gates.applied(done.gates());
        waits.applied(attachment.child(), done.acknowledged());
        Counts now = done.counts();
        listener.delivered(
                attachment.child(),
                partition.partition(),
                Math.toIntExact(now.applied()),
                Math.toIntExact(now.gated()),
                Math.toIntExact(now.skipped()));
        if (now.lost() > 0) {
            LOG.warn(
                    "child={} partition={} lost={} records were missing from the log: rebuild the child",
                    attachment.child(),
                    partition.partition(),
                    now.lost());
            listener.lost(attachment.child(), partition.partition(), now.lost());
        }
    }

    private Next succeeded() {
        portion = portion.twice(settings);
        if (failures > 0) {
            LOG.warn(
                    "child={} partition={} delivers again after attempts={}",
                    attachment.child(),
                    partition.partition(),
                    failures);
            failures = 0;
        }
        return Next.NOW;
    }

    private Next refused(Outcome refusal) {
        failures++;
        Throwable cause = refusal instanceof Outcome.Failed failed ? failed.cause() : null;
        Duration length = refusal instanceof Outcome.Retry retry ? retry.after() : backoff.pause(failures);
        pause = new Pause(platform.nanoTime(), length);
        if (failures == 1) {
            LOG.warn(
                    "child={} partition={} position={} delivery failed and will be tried again",
                    attachment.child(),
                    partition.partition(),
                    position,
                    cause);
        }
        listener.failed(attachment.child(), partition.partition(), failures, cause, length);
        return Next.after(length);
    }
}
