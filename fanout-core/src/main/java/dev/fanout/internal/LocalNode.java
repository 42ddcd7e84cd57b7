// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.ChildSpec;
import dev.fanout.FanoutListener;
import dev.fanout.FanoutListener.WakeSource;
import dev.fanout.Projection;
import dev.fanout.internal.await.Waits;
import dev.fanout.internal.cursor.CursorWorker;
import dev.fanout.internal.cursor.Delivery;
import dev.fanout.internal.cursor.Fresh;
import dev.fanout.internal.node.Membership;
import dev.fanout.internal.node.Reconciler;
import dev.fanout.internal.relay.RelayWorker;
import dev.fanout.internal.step.Activity;
import dev.fanout.internal.step.Aside;
import dev.fanout.internal.step.Outages;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Leases.Survey;
import dev.fanout.spi.Platform;
import dev.fanout.spi.Store;
import dev.fanout.spi.StreamPartition;
import dev.fanout.spi.Wakes;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running half of an engine: this node's heartbeat, its reconciler, and the relays and cursors that it owns.
 *
 * @param <T> the transaction handle of the store
 */
final class LocalNode<T> implements Reconciler.Jobs, Wakes.Hearer {

    private static final Logger LOG = LoggerFactory.getLogger(LocalNode.class);

    private final Store<T> store;
    private final Parts<T> parts;
    private final Outages outages;
    private final Platform platform;
    private final FanoutListener listener;
    private final Resources<T> resources;
    private final Fresh fresh;
    private final Membership membership;
    private final Activity heartbeat;
    private final Reconciler reconciler;
    private final Activity reconciling;
    private final CursorWorker.Surroundings surroundings;

    private final Map<String, Relay> relays = new ConcurrentHashMap<>();
    private final Map<String, CursorWorker<T>> cursors = new ConcurrentHashMap<>();
    private volatile boolean othersAlive = true;
    private volatile boolean listening;

    private record Relay(RelayWorker worker, Activity activity) {

        void notified(WakeSource source) {
            if (worker.notified(source)) {
                activity.signal();
            }
        }

        void hinted() {
            worker.hinted().ifPresent(activity::signalAfter);
        }
    }

    LocalNode(Store<T> store, Parts<T> parts, Layout layout, Outages outages, Waits waits) {
        this.store = store;
        this.parts = parts;
        this.outages = outages;
        this.platform = store.platform();
        this.listener = parts.listener();
        this.resources = new Resources<>(layout, parts.children());
        this.fresh = new Fresh(parts.settings());
        this.membership =
                new Membership(store.leases(), parts.settings(), platform, parts.nodeName(), resources.children());
        this.heartbeat = new Activity(platform, membership, outages);
        this.reconciler = new Reconciler(
                store.leases(), membership, this, parts.settings(), platform, listener, this::reconcileSoon);
        this.reconciling = new Activity(platform, reconciler, outages);
        this.surroundings =
                new CursorWorker.Surroundings(fresh, parts.settings(), listener, reconciler, waits, platform);
    }

    void start() {
        membership.onJoined(this::reconcileSoon);
        heartbeat.signal();
        store.wakes().listen(this);
    }

    /**
     * Ends by a moment, and by {@link Engine#PARTING} from the end of the steps where there is less time left for goodbyes.
     * MUST end the heartbeat last: a lease that is not renewed while its worker still acts gets a second owner. A node
     * with a handler that does not end in time does not leave: others wait for the rest of its lease.
     */
    boolean stop(long deadline) {
        Future<?> passes = reconciling.stop();
        boolean inTime = await(passes, deadline);
        inTime &= await(reconciler.stopAll(), deadline);
        long later = Math.max(0, deadline - platform.nanoTime());
        long parting = platform.nanoTime() + Math.max(later, Engine.PARTING.toNanos());
        if (passes.isDone()) {
            inTime &= aside("release leases", reconciler::releaseAll, parting);
        }
        inTime &= aside("stop listening", () -> store.wakes().stop(), parting);
        inTime &= await(heartbeat.stop(), parting);
        return inTime && aside("leave", membership::leave, parting);
    }

    private boolean await(Future<?> end, long deadline) {
        return platform.await(end, Math.max(0, deadline - platform.nanoTime()));
    }

    /** What may block in the store is left behind when time is over. */
    private boolean aside(String what, Runnable action, long deadline) {
        Future<?> end = Aside.begin(platform, () -> {
            quietly(what, action);
            return true;
        });
        return await(end, deadline);
    }

    private static void quietly(String what, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException failure) {
            LOG.info(
                    "could not {} while stopping, others wait for the lease to run out cause={}",
                    what,
                    failure.toString());
        }
    }

    private void reconcileSoon() {
        reconciling.signal();
    }

    void appended(WakeSource source) {
        relays.values().forEach(relay -> relay.notified(source));
    }

    void hinted() {
        relays.values().forEach(Relay::hinted);
    }

    @Override
    public void appended(int lane) {
        Relay relay = relays.get(Resources.lane(lane));
        if (relay != null) {
            relay.notified(WakeSource.NOTIFICATION);
        }
    }

    @Override
    public void published() {
        fresh.allGrown();
    }

    @Override
    public void released() {
        reconcileSoon();
    }

    @Override
    public void connected() {
        listening = true;
        for (CursorWorker<T> worker : cursors.values()) {
            worker.doubt();
            worker.trust(true);
        }
        appended(WakeSource.NOTIFICATION);
        fresh.allGrown();
        reconcileSoon();
    }

    @Override
    public void disconnected() {
        listening = false;
        for (CursorWorker<T> worker : cursors.values()) {
            worker.trust(false);
            worker.doubt();
        }
    }

    @Override
    public Map<String, String> all() {
        return resources.all();
    }

    @Override
    public Activity begin(Lease lease) {
        return resources.isLane(lease.resource()) ? beginRelay(lease) : beginCursor(lease);
    }

    private Activity beginRelay(Lease lease) {
        RelayWorker worker = new RelayWorker(
                lease,
                Resources.laneOf(lease.resource()),
                store.outbox(),
                store.wakes(),
                fresh,
                parts.settings(),
                platform,
                listener,
                reconciler,
                () -> othersAlive);
        Activity activity = new Activity(platform, worker, outages);
        relays.put(lease.resource(), new Relay(worker, activity));
        return activity;
    }

    private Activity beginCursor(Lease lease) {
        Resources.Child<T> child = resources.child(lease.resource());
        Handle handle = new Handle();
        CursorWorker<T> worker = new CursorWorker<>(
                lease,
                child.attachment(),
                child.partition(),
                store.log(),
                store.cursors(),
                delivery(child.spec()),
                surroundings,
                handle::signal);
        Activity activity = new Activity(platform, worker, outages);
        handle.activity = activity;
        // after it can be found: it must not miss a change
        cursors.put(lease.resource(), worker);
        worker.trust(listening);
        fresh.add(worker);
        return activity;
    }

    /** Ties the knot between a worker that asks for steps and the activity that runs it. */
    private static final class Handle {
        private volatile @Nullable Activity activity;

        void signal() {
            Activity known = activity;
            if (known != null) {
                known.signal();
            }
        }
    }

    private Delivery<T> delivery(ChildSpec<T> spec) {
        Projection foreign = spec.projection();
        return foreign != null
                ? Delivery.to(foreign, store.cursors())
                : Delivery.to(Objects.requireNonNull(spec.transactional()), store.cursors());
    }

    @Override
    public void ended(Lease lease) {
        if (relays.remove(lease.resource()) != null) {
            // the next relay of the lane can't hold it, and so never sleeps, while this node still does
            store.wakes().letGo(Resources.laneOf(lease.resource()));
        }
        CursorWorker<T> worker = cursors.remove(lease.resource());
        if (worker != null) {
            fresh.remove(worker);
        }
    }

    @Override
    public void saw(Survey survey, boolean others) {
        othersAlive = others;
        for (CursorWorker<T> worker : cursors.values()) {
            StreamPartition partition = worker.partition();
            long behind = survey.heads().getOrDefault(partition, 0L) - worker.position();
            listener.lag(worker.child(), partition.partition(), Math.max(0, behind));
            if (behind > 0) {
                worker.grown(false);
            }
        }
    }
}
