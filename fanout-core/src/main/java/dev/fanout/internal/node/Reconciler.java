// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.node;

import dev.fanout.FanoutListener;
import dev.fanout.Settings;
import dev.fanout.internal.step.Activity;
import dev.fanout.internal.step.Next;
import dev.fanout.internal.step.Worker;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Leases;
import dev.fanout.spi.Leases.Held;
import dev.fanout.spi.Leases.Node;
import dev.fanout.spi.Leases.Survey;
import dev.fanout.spi.Platform;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares what this node should run with what it runs, and carries out the differences one after another.
 *
 * <p>Each pass reads nodes, leases and heads in one statement. Every node places every resource by the same rule over the
 * same list ({@link Placement}), so they agree without talking. A resource placed here is taken when it is free or its
 * owner is dead; one placed elsewhere is stopped, then released, which is at once told to the others. A lease that the
 * survey shows under a higher token is lost: its worker is stopped and nothing is released. So is a worker whose resource is
 * no more (its child was detached, or paused) or has become another (its child was attached again, under another epoch): the
 * new one is begun by a later pass, when the old one has ended.
 *
 * <p>What runs here is a map from resource to running worker. A worker is stopped in two beats, so that a pass never waits
 * for a projection: it is asked to end, and a later pass, signalled by the end, releases its lease.
 */
public final class Reconciler implements Worker, Ownership {

    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

    /** What this node could run. */
    public interface Jobs {

        /**
         * Returns the resources that exist, as of what {@link #saw} handed on last.
         *
         * @return what each is about, by resource
         */
        Map<String, Job> all();

        /**
         * Makes the worker of a resource and its activity, not yet begun.
         *
         * @param lease the lease just taken
         * @return the activity
         */
        Activity begin(Lease lease);

        /**
         * Tells that a worker has ended.
         *
         * @param lease its lease
         */
        void ended(Lease lease);

        /**
         * Hands on what a pass has seen of the log and of the other nodes.
         *
         * @param survey what was seen
         * @param othersAlive whether other nodes are alive
         */
        void saw(Survey survey, boolean othersAlive);

        /** Removes what belongs to nothing any more. Called every 30th pass. */
        void sweep();
    }

    /**
     * What there is to run under a resource.
     *
     * @param child the child whose code it needs; empty for what any node can run
     * @param of the attachment and whatever else a worker begins with: one that began with another is stopped
     */
    public record Job(String child, Object of) {}

    private static final int PASSES_PER_SWEEP = 30;

    private final Leases leases;
    private final Membership membership;
    private final Jobs jobs;
    private final Settings settings;
    private final Platform platform;
    private final FanoutListener listener;
    private final Runnable passSoon;
    private final Liveness liveness;
    private final Map<String, Running> running = new ConcurrentHashMap<>();
    private int passes;

    private static final class Running {
        private final Lease lease;
        private final Job job;
        private final Activity activity;
        private @Nullable CompletableFuture<Void> ending;
        private boolean over;
        private volatile boolean lost;

        Running(Lease lease, Job job, Activity activity) {
            this.lease = lease;
            this.job = job;
            this.activity = activity;
        }
    }

    /**
     * Makes the reconciler of a node.
     *
     * @param leases where ownership is kept
     * @param membership this node
     * @param jobs what it could run
     * @param settings the numbers
     * @param platform the clock
     * @param listener who hears of leases
     * @param passSoon asks for a pass
     */
    public Reconciler(
            Leases leases,
            Membership membership,
            Jobs jobs,
            Settings settings,
            Platform platform,
            FanoutListener listener,
            Runnable passSoon) {
        this.leases = leases;
        this.membership = membership;
        this.jobs = jobs;
        this.settings = settings;
        this.platform = platform;
        this.listener = listener;
        this.passSoon = passSoon;
        this.liveness = new Liveness(settings.leaseLength());
    }

    @Override
    public String name() {
        return "reconciler";
    }

    @Override
    public boolean holds(Lease lease) {
        return membership.isSafe(lease.node());
    }

    @Override
    public void lost(Lease lease) {
        Running mine = running.get(lease.resource());
        if (mine != null && mine.lease.equals(lease)) {
            mine.lost = true;
        }
    }

    @Override
    public Next step() {
        OptionalLong node = membership.node();
        if (node.isEmpty()) {
            return Next.idleFor(settings.reconcileInterval());
        }
        pass(node.getAsLong());
        return Next.after(settings.reconcileInterval());
    }

    /**
     * Asks every worker to end.
     *
     * @return completed when all have
     */
    public CompletableFuture<Void> stopAll() {
        return CompletableFuture.allOf(
                running.values().stream().map(one -> one.activity.stop()).toArray(CompletableFuture[]::new));
    }

    /** Gives back every lease whose worker has ended, so that others need not wait. The last thing a node does. */
    public void releaseAll() {
        for (Running one : List.copyOf(running.values())) {
            if (one.activity.stop().isDone()) {
                finish(one);
            }
        }
    }

    private void pass(long node) {
        // MUST be from before the survey: a slow one proves nothing of the time after it was asked for
        long asked = platform.nanoTime();
        Survey survey = leases.survey();
        liveness.saw(survey.nodes(), platform.nanoTime());
        jobs.saw(survey, othersAlive(survey, node, asked));
        Map<String, Held> held = survey.leases().stream().collect(Collectors.toMap(Held::resource, h -> h));
        Map<String, Job> jobs = this.jobs.all();
        Set<String> desired = desired(jobs, survey, node, asked);
        for (Running one : List.copyOf(running.values())) {
            reconcile(one, held.get(one.lease.resource()), jobs, desired);
        }
        for (String resource : desired) {
            Job job = jobs.get(resource);
            // a node that others may take for dead would lose it in the next pass, and take it again, and again
            if (job != null && !running.containsKey(resource) && membership.isSafe(node)) {
                takeIfFree(resource, job, held.get(resource), node, asked);
            }
        }
        releaseStrays(held.values(), desired, node);
        liveness.longDead(asked).forEach(leases::remove);
        if (++passes % PASSES_PER_SWEEP == 0) {
            this.jobs.sweep();
        }
    }

    private boolean othersAlive(Survey survey, long node, long now) {
        return survey.nodes().stream().anyMatch(other -> other.no() != node && liveness.isAlive(other.no(), now));
    }

    private Set<String> desired(Map<String, Job> jobs, Survey survey, long node, long now) {
        List<Node> alive = survey.nodes().stream()
                .filter(one -> liveness.isAlive(one.no(), now))
                .toList();
        Set<String> desired = new TreeSet<>();
        jobs.forEach((resource, job) -> {
            List<Long> able = alive.stream()
                    .filter(one -> job.child().isEmpty() || one.children().contains(job.child()))
                    .map(Node::no)
                    .toList();
            if (Placement.owner(resource, able).equals(OptionalLong.of(node))) {
                desired.add(resource);
            }
        });
        return desired;
    }

    private void reconcile(Running one, @Nullable Held held, Map<String, Job> jobs, Set<String> desired) {
        boolean over = !one.job.equals(jobs.get(one.lease.resource()));
        boolean taken = held == null
                || held.token() != one.lease.token()
                || !held.node().equals(OptionalLong.of(one.lease.node()));
        if (over) {
            one.over = true;
        } else if (taken || !holds(one.lease)) {
            one.lost = true;
        }
        if (one.over || one.lost || !desired.contains(one.lease.resource())) {
            stop(one);
        }
        if (one.ending != null && one.activity.stop().isDone()) {
            finish(one);
        }
    }

    private void stop(Running one) {
        if (one.ending == null) {
            one.ending = one.activity.stop().thenRun(passSoon);
        }
    }

    /**
     * MUST come after the worker's last step: a lease that is free while its worker still acts has two owners. What can't be
     * released now is still known as running, and released by a later pass.
     */
    private void finish(Running one) {
        jobs.ended(one.lease);
        if (!one.lost || one.over) {
            // whoever ended the attachment may have freed it already; then nothing happens
            leases.release(one.lease);
        }
        running.remove(one.lease.resource());
        if (one.lost && !one.over) {
            LOG.warn("lease lost resource={} token={}", one.lease.resource(), one.lease.token());
            listener.leaseLost(one.lease.resource());
        } else {
            listener.leaseReleased(one.lease.resource());
        }
    }

    /** A lease that was taken though the answer never arrived, and is placed elsewhere by now: nobody else could take it. */
    private void releaseStrays(Collection<Held> all, Set<String> desired, long node) {
        for (Held held : all) {
            boolean mine = held.node().equals(OptionalLong.of(node));
            if (mine && !running.containsKey(held.resource()) && !desired.contains(held.resource())) {
                leases.release(new Lease(held.resource(), node, held.token()));
            }
        }
    }

    private void takeIfFree(String resource, Job job, @Nullable Held held, long node, long now) {
        boolean free = held == null
                || held.node().isEmpty()
                || held.node().getAsLong() == node
                || !liveness.isAlive(held.node().getAsLong(), now);
        if (free) {
            leases.take(resource, held == null ? 0 : held.token(), node).ifPresent(lease -> begin(lease, job));
        }
    }

    private void begin(Lease lease, Job job) {
        Activity activity = jobs.begin(lease);
        running.put(lease.resource(), new Running(lease, job, activity));
        listener.leaseTaken(lease.resource(), lease.token());
        activity.signal();
    }
}
