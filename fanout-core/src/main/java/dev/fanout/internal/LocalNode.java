// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.ChildSpec;
import dev.fanout.FanoutListener;
import dev.fanout.FanoutListener.WakeSource;
import dev.fanout.internal.append.Routes;
import dev.fanout.internal.await.Waits;
import dev.fanout.internal.cursor.CursorWorker;
import dev.fanout.internal.cursor.Drive;
import dev.fanout.internal.cursor.Health;
import dev.fanout.internal.cursor.Routing;
import dev.fanout.internal.cursor.Slabs;
import dev.fanout.internal.cursor.Surroundings;
import dev.fanout.internal.node.Membership;
import dev.fanout.internal.node.Reconciler;
import dev.fanout.internal.node.Reconciler.Job;
import dev.fanout.internal.relay.RelayWorker;
import dev.fanout.internal.retention.Janitor;
import dev.fanout.internal.step.Activity;
import dev.fanout.internal.step.Aside;
import dev.fanout.internal.step.Outages;
import dev.fanout.spi.Attachments.Swept;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Leases.Asked;
import dev.fanout.spi.Leases.Survey;
import dev.fanout.spi.Platform;
import dev.fanout.spi.Store;
import dev.fanout.spi.StreamPartition;
import dev.fanout.spi.Wakes;
import java.util.Map;
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

    private static final int SWEPT_AT_ONCE = 10_000;

    private final Store<T> store;
    private final Parts<T> parts;
    private final Outages outages;
    private final Platform platform;
    private final FanoutListener listener;
    private final Roster<T> roster;
    private final Strangers strangers = new Strangers();
    private final Slabs slabs;
    private final Membership membership;
    private final Activity heartbeat;
    private final Reconciler reconciler;
    private final Activity reconciling;
    private final Surroundings surroundings;

    private final Map<String, Relay> relays = new ConcurrentHashMap<>();
    private final Map<String, CursorWorker<T>> cursors = new ConcurrentHashMap<>();
    private final Map<String, Driven<T>> drives = new ConcurrentHashMap<>();
    private volatile Resources<T> resources;
    private volatile boolean cleans;
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

    private record Driven<T>(ChildSpec<T> spec, Layout.Attachment attachment, Drive<T> drive) {}

    LocalNode(Store<T> store, Parts<T> parts, Roster<T> roster, Layout layout, Outages outages, Waits waits) {
        this.store = store;
        this.parts = parts;
        this.roster = roster;
        this.outages = outages;
        this.platform = store.platform();
        this.listener = parts.listener();
        this.resources = new Resources<>(layout, roster.all());
        this.slabs = new Slabs(parts.settings());
        this.membership = new Membership(store.leases(), parts.settings(), platform, parts.nodeName(), roster::names);
        this.heartbeat = new Activity(platform, membership, outages);
        this.reconciler = new Reconciler(
                store.leases(), membership, this, parts.settings(), platform, listener, this::reconcileSoon);
        this.reconciling = new Activity(platform, reconciler, outages);
        this.surroundings = new Surroundings(slabs, parts.settings(), listener, reconciler, waits, platform);
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

    /** What was seen last of streams and children. */
    Layout layout() {
        return resources.layout();
    }

    /** Children were attached or detached, or this process can run more of them. */
    void changed() {
        heartbeat.signal();
        reconcileSoon();
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
        slabs.allGrown();
    }

    @Override
    public void asked() {
        cursors.values().forEach(CursorWorker::asked);
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
        // nobody notified: whatever was missed meanwhile is looked for
        appended(WakeSource.POLL);
        slabs.allGrown();
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
    public Map<String, Job> all() {
        return resources.all();
    }

    @Override
    public Activity begin(Lease lease) {
        if (lease.resource().equals(Resources.RETENTION)) {
            return beginJanitor(lease);
        }
        return resources.isLane(lease.resource()) ? beginRelay(lease) : beginCursor(lease);
    }

    private Activity beginJanitor(Lease lease) {
        cleans = true;
        Janitor janitor = new Janitor(lease, store.retention(), this::layout, parts.settings(), platform, reconciler);
        return new Activity(platform, janitor, outages);
    }

    private Activity beginRelay(Lease lease) {
        RelayWorker worker = new RelayWorker(
                lease,
                Resources.laneOf(lease.resource()),
                store.outbox(),
                store.wakes(),
                slabs,
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
                lease, child.attachment(), child.partition(), store, drive(child), surroundings, handle::signal);
        Activity activity = new Activity(platform, worker, outages);
        handle.activity = activity;
        // after it can be found: it must not miss a change
        cursors.put(lease.resource(), worker);
        worker.trust(listening);
        slabs.add(worker);
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

    /** One for all partitions of a child, for as long as it is the same child. */
    private Drive<T> drive(Resources.Child<T> child) {
        return drives.compute(
                        child.spec().name(),
                        (name, known) -> known != null
                                        && known.spec() == child.spec()
                                        && known.attachment().equals(child.attachment())
                                ? known
                                : new Driven<>(child.spec(), child.attachment(), newDrive(child.spec())))
                .drive();
    }

    private Drive<T> newDrive(ChildSpec<T> spec) {
        return new Drive<>(spec, parts.passing(spec), new Health(), routing(spec));
    }

    /** What a child publishes is in the outbox when the step is written: the relay here need not be told by the database. */
    private @Nullable Routing routing(ChildSpec<T> spec) {
        String target = spec.target();
        return target == null
                ? null
                : new Routing(Routes.to(layout().stream(target).orElseThrow()), () -> appended(WakeSource.LOCAL));
    }

    @Override
    public void ended(Lease lease) {
        if (lease.resource().equals(Resources.RETENTION)) {
            cleans = false;
        }
        if (relays.remove(lease.resource()) != null) {
            // the next relay of the lane can't hold it, and so never sleeps, while this node still does
            store.wakes().letGo(Resources.laneOf(lease.resource()));
        }
        CursorWorker<T> worker = cursors.remove(lease.resource());
        if (worker != null) {
            slabs.remove(worker);
        }
    }

    @Override
    public void saw(Survey survey, boolean others) {
        othersAlive = others;
        resources = resources.of(survey.layout(), roster.all());
        strangers.compare(survey.layout(), roster.names());
        for (CursorWorker<T> worker : cursors.values()) {
            StreamPartition partition = worker.partition();
            long behind = survey.heads().getOrDefault(partition, 0L) - worker.position();
            listener.lag(worker.child(), partition.partition(), Math.max(0, behind));
            if (survey.asked().contains(new Asked(worker.attachment().no(), partition.partition()))) {
                worker.asked();
            }
        }
        survey.heads().forEach(slabs::grown);
    }

    /** On the node that also removes old records, so that not all of them look for the same. */
    @Override
    public void sweep() {
        if (!cleans) {
            return;
        }
        Swept swept = store.attachments().sweep(SWEPT_AT_ONCE);
        if (swept.rows() > 0) {
            LOG.info("swept rows={} that belonged to no attachment any more", swept.rows());
        }
        if (swept.records() > 0) {
            LOG.warn(
                    "removed records={} that were published to a deleted stream: some process still appends to it; what it"
                            + " appended is in the history and reached no child",
                    swept.records());
        }
    }
}
