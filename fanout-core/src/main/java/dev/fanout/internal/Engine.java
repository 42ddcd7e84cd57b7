// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.ChildSpec;
import dev.fanout.FanoutListener.WakeSource;
import dev.fanout.StartRefusedException;
import dev.fanout.Status;
import dev.fanout.StoreUnavailableException;
import dev.fanout.internal.append.Routes;
import dev.fanout.internal.await.Waits;
import dev.fanout.internal.step.Activity;
import dev.fanout.internal.step.Aside;
import dev.fanout.internal.step.Backoff;
import dev.fanout.internal.step.Next;
import dev.fanout.internal.step.Outages;
import dev.fanout.internal.step.Worker;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Platform;
import dev.fanout.spi.Store;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One engine on one store: opens the store, at once or as soon as the database is there, and runs a node when asked to.
 *
 * <p>States: built (appends) → started (appends and runs) → closed. While the database can't be reached the engine waits
 * and the host goes on.
 *
 * @param <T> the transaction handle of the store
 */
public final class Engine<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    /** How long building waits for a database that answers, and may have a schema to bring up. */
    private static final Duration OPEN = Duration.ofSeconds(30);

    /** How long starting waits for an answer. */
    private static final Duration START = Duration.ofSeconds(10);

    /** What giving leases back may take beyond the time that closing was given. */
    static final Duration PARTING = Duration.ofSeconds(1);

    private final Store<T> store;
    private final Parts<T> parts;
    private final Roster<T> roster;
    private final Declaration declaration;
    private final Platform platform;
    private final Outages outages;
    private final Waits waits = new Waits();
    private final Layouts<T> layouts;
    private final Activity opening;

    private volatile @Nullable StartRefusedException refusal;
    private volatile @Nullable LocalNode<T> running;
    private boolean started;
    private @Nullable CompletableFuture<Boolean> closing;

    /**
     * Makes an engine, and opens the store if the database is there.
     *
     * @param store the store
     * @param parts what it is made of
     * @throws StartRefusedException if another engine has the store, or the declarations don't fit the database
     */
    public Engine(Store<T> store, Parts<T> parts) {
        store.take();
        this.store = store;
        this.parts = parts;
        this.roster = new Roster<>(parts.children());
        this.layouts = new Layouts<>(store, parts);
        this.platform = store.platform();
        this.declaration = Declarations.declaration(parts, platform);
        Backoff backoff = new Backoff(platform, Duration.ofMillis(200), Duration.ofSeconds(5));
        this.outages = new Outages(backoff, parts.listener());
        this.opening = new Activity(platform, new Opening(), outages);
        openOrKeepTrying();
    }

    private void openOrKeepTrying() {
        try {
            attempt(this::open, OPEN);
        } catch (RuntimeException refused) {
            // nobody gets an engine to close
            platform.shutdown(Duration.ZERO);
            store.close();
            throw refused;
        }
    }

    /**
     * Tries once, and in the background from then on if the database can't be reached. One that is silent, or a pool that
     * waits for it, keeps nobody for longer than it has patience: the attempt goes on alone.
     */
    private void attempt(Runnable action, Duration patience) {
        CompletableFuture<Boolean> attempt = Aside.begin(platform, () -> {
            action.run();
            return true;
        });
        if (!platform.await(attempt, patience.toNanos())) {
            LOG.warn("the database has not answered yet; the application goes on, the engine waits");
            CompletableFuture<Boolean> unused = attempt.whenComplete((done, failure) -> opening.signal());
            return;
        }
        try {
            attempt.getNow(true);
        } catch (CompletionException failed) {
            settle(failed);
        }
    }

    private void settle(CompletionException failed) {
        if (failed.getCause() instanceof StoreUnavailableException down) {
            opening.signalAfter(outages.failed("open", down));
        } else {
            throw failed.getCause() instanceof RuntimeException failure ? failure : failed;
        }
    }

    private void open() {
        layouts.opened(store.open(declaration));
    }

    /** Opens the store in the background, then starts what was asked for meanwhile. */
    private final class Opening implements Worker {

        @Override
        public Next step() {
            try {
                if (!layouts.isOpen() && refusal == null) {
                    open();
                }
                runIfDue();
            } catch (StartRefusedException refused) {
                LOG.error("the engine does not start: {}", refused.getMessage());
                refusal = refused;
            }
            return Next.ON_SIGNAL;
        }

        @Override
        public String name() {
            return "open";
        }
    }

    /**
     * Runs relays and cursors from now on; as soon as the database is there, if it isn't.
     *
     * @throws StartRefusedException if the store refused to open in the meantime, or this process may not run
     */
    public void start() {
        if (begins()) {
            try {
                attempt(this::runIfDue, START);
            } catch (StartRefusedException refused) {
                startAgain();
                throw refused;
            }
        }
    }

    private synchronized boolean begins() {
        if (closing != null) {
            throw new IllegalStateException("fanout is closed; build another");
        }
        StartRefusedException refused = refusal;
        if (refused != null) {
            throw refused;
        }
        boolean begins = !started;
        started = true;
        return begins && layouts.isOpen();
    }

    private synchronized void startAgain() {
        started = false;
    }

    /** MUST ask the store outside the lock: whoever closes needs the lock, and does not wait for a silent database. */
    private void runIfDue() {
        if (isDue()) {
            store.checkMayRun();
            layouts.now(null).ifPresent(this::run);
        }
    }

    private synchronized boolean isDue() {
        return layouts.isOpen() && started && closing == null && running == null;
    }

    private synchronized void run(Layout layout) {
        if (isDue()) {
            LocalNode<T> node = new LocalNode<>(store, parts, roster, layout, outages, waits);
            running = node;
            node.start();
            LOG.info(
                    "fanout started node={} streams={} children={}",
                    parts.nodeName(),
                    parts.streams().size(),
                    parts.children().size());
        }
    }

    /**
     * Stops everything, in order: no new work, running steps to their end, leases back, connections, threads. Whoever comes
     * second waits for the first.
     *
     * @param timeout how long running steps may take
     * @return whether all had ended in time
     */
    public boolean close(Duration timeout) {
        long nanos = Aside.nanos(timeout);
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        CompletableFuture<Boolean> first = closing(end);
        if (first != end) {
            return platform.await(first, nanos) && first.getNow(false);
        }
        boolean inTime = false;
        try {
            inTime = stop(platform.nanoTime() + nanos);
        } finally {
            end.complete(inTime);
        }
        return inTime;
    }

    private synchronized CompletableFuture<Boolean> closing(CompletableFuture<Boolean> end) {
        CompletableFuture<Boolean> first = closing == null ? end : closing;
        closing = first;
        return first;
    }

    private boolean stop(long deadline) {
        // nobody makes one any more
        LocalNode<T> node = running;
        Future<Void> opener = opening.stop();
        boolean inTime = node == null || node.stop(deadline);
        long left = Math.max(deadline - platform.nanoTime(), PARTING.toNanos());
        inTime &= platform.shutdown(inTime ? Duration.ofNanos(left) : Duration.ZERO);
        inTime &= opener.isDone();
        store.close();
        if (node != null) {
            LOG.info("fanout stopped node={} inTime={}", parts.nodeName(), inTime);
        }
        return inTime;
    }

    /**
     * Returns where events go, read through the application's transaction where the store is not open yet.
     *
     * @param tx the application's transaction
     * @return the routes
     * @throws dev.fanout.FanoutException if they can't be known yet
     */
    public Routes routes(T tx) {
        StartRefusedException refused = refusal;
        if (refused != null && !layouts.isOpen()) {
            throw refused;
        }
        return layouts.routes(tx, running);
    }

    /**
     * Returns what the store holds: as this node saw it last, a second ago at the most, where it runs one.
     *
     * @return the layout, or empty before the store was opened
     */
    public Optional<Layout> layout() {
        return layouts.now(running);
    }

    /**
     * Returns the children that this process can run.
     *
     * @return the declarations
     */
    public Roster<T> roster() {
        return roster;
    }

    /**
     * Attaches a child, and runs it here from now on, as far as this node's share goes.
     *
     * @param child the child, checked
     * @return false if it was attached already
     * @throws StartRefusedException if it does not fit the declared streams and children
     */
    public boolean attach(ChildSpec<T> child) {
        ChildRules.check(child, parts.streams());
        StreamTree.check(Stream.concat(
                        roster.all().stream().filter(known -> !known.name().equals(child.name())), Stream.of(child))
                .toList());
        parts.passing(child);
        boolean attached = requireOpen().attachments().attach(Declarations.declared(child, platform));
        roster.put(child);
        changed();
        return attached;
    }

    /** Tells this node that children came or went. */
    public void changed() {
        layouts.outdated();
        LocalNode<T> node = running;
        if (node != null) {
            node.changed();
        }
    }

    /**
     * Returns the store.
     *
     * @return the store, which has been opened
     * @throws StoreUnavailableException if it has not
     */
    public Store<T> requireOpen() {
        StartRefusedException refused = refusal;
        if (refused != null) {
            throw refused;
        }
        if (!layouts.isOpen()) {
            throw new StoreUnavailableException("the store has not been opened yet", null);
        }
        return store;
    }

    /**
     * Tells this process's relay that it will soon find rows, or that it does.
     *
     * @param committed whether they are known to be committed
     */
    public void appended(boolean committed) {
        LocalNode<T> node = running;
        if (node == null) {
            return;
        }
        if (committed) {
            node.appended(WakeSource.LOCAL);
        } else {
            node.hinted();
        }
    }

    /**
     * Reads how far everything is.
     *
     * @return the distances at this moment
     */
    public Status status() {
        return new Distances<>(requireOpen(), roster.all()).read();
    }

    /**
     * Returns the way to wait for a child.
     *
     * @return the way
     */
    public Awaiting<T> awaiting() {
        return new Awaiting<>(this);
    }

    /**
     * Returns who waits here.
     *
     * @return the waits
     */
    public Waits waits() {
        return waits;
    }

    /**
     * Returns the store.
     *
     * @return the store
     */
    public Store<T> store() {
        return store;
    }

    /**
     * Returns what the engine is made of.
     *
     * @return the parts
     */
    public Parts<T> parts() {
        return parts;
    }
}
