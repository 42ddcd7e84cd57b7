// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.spi.Wakes.Hearer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that owns the listener's connection, from {@link #start} to {@link #stop}.
 *
 * <p>Its connection is either <i>idle</i>: no lane is held or wanted, and the thread blocks in the driver for
 * {@link #IDLE_WAIT} at a time, which sends nothing; or <i>busy</i>: the thread waits for wishes instead, looking at the
 * socket every {@link #BUSY_WAIT}, so that to let go of a lock takes one round trip and no wait. After an append was heard it
 * stays busy for {@link #EXPECTING}, since its relay is about to wish for the lock; under load, when it matters that appends
 * cease to notify, the next notification ends an idle wait at once.
 *
 * <p>Invariants: LISTEN is answered before the hearer is told of the connection; at the end of a connection, however it
 * ends, all holds are lost before the next attempt; two attempts are at least a second apart.
 *
 * <p>A connection whose other end is gone without a word fails at the next ping, which comes after {@link #SILENCE} without an
 * answer and may itself take {@link #ANSWER}: together below the 15 seconds that are promised, and far enough apart that an
 * idle node stays at a fraction of a statement per second.
 */
final class Listener implements Runnable {

    /** How long a session may stand in the way of the wake lock. Longer than a lease changes hands while nobody is dead. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Duration IDLE_WAIT = Duration.ofMillis(100);
    private static final Duration BUSY_WAIT = Duration.ofMillis(5);
    private static final Duration EXPECTING = Duration.ofMillis(20);
    private static final Duration SILENCE = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration FIRST_RETRY = Duration.ofMillis(2);
    private static final Duration LAST_RETRY = Duration.ofMillis(250);

    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    /** Tries for one lane's lock that were refused. */
    private static final class Refused {
        private final long since = System.nanoTime();
        private long retryAt = since;
        private Duration pause = FIRST_RETRY;
    }

    private final Database database;
    private final Supplier<Set<Integer>> lanes;
    private final LaneHolds holds;
    private final Hearer hearer;
    private final Map<String, Runnable> channels = new HashMap<>();
    private final Map<Integer, Refused> refused = new HashMap<>();
    private final Thread thread = new Thread(this, "fanout-listener");
    private volatile boolean stopping;
    private volatile @Nullable ListenerSession session;
    private long expectingUntil = System.nanoTime();
    private boolean down;

    Listener(Database database, Supplier<Set<Integer>> lanes, LaneHolds holds, Hearer hearer) {
        this.database = database;
        this.lanes = lanes;
        this.holds = holds;
        this.hearer = hearer;
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    /** Ends the thread and the connection, with all locks. */
    void stop() {
        stopping = true;
        holds.ring();
        join(IDLE_WAIT.multipliedBy(3));
        abort();
        // it may be connecting, or pausing
        thread.interrupt();
        join(IDLE_WAIT.multipliedBy(5));
    }

    private void join(Duration atMost) {
        try {
            thread.join(atMost.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void abort() {
        ListenerSession open = session;
        if (thread.isAlive() && open != null) {
            try {
                open.abort();
            } catch (SQLException e) {
                LOG.debug("the listener's connection can't be broken", e);
            }
        }
    }

    @Override
    public void run() {
        Pauses pauses = new Pauses(ThreadLocalRandom.current());
        while (!stopping) {
            long began = System.nanoTime();
            connectAndServe();
            holds.lost();
            refused.clear();
            pauses.ended(Duration.ofNanos(System.nanoTime() - began));
            pause(pauses.next());
        }
    }

    private void connectAndServe() {
        try (ListenerSession opened = open()) {
            session = opened;
            opened.listen();
            up();
            hearer.connected();
            while (!stopping) {
                serve(opened);
            }
        } catch (SQLException | RuntimeException e) {
            hearer.disconnected();
            down(e);
        } catch (InterruptedException e) {
            stopping = true;
        } finally {
            session = null;
        }
    }

    private ListenerSession open() throws SQLException {
        WakeNames names = database.wakeNames();
        channels.clear();
        channels.put(names.published(), hearer::published);
        channels.put(names.released(), hearer::released);
        channels.put(names.asked(), hearer::asked);
        lanes.get().forEach(lane -> channels.put(names.appended(lane), () -> appended(lane)));
        Connection connection = database.direct().open("listener", ANSWER).orElseThrow();
        return new ListenerSession(connection, database.statements(), names, List.copyOf(channels.keySet()));
    }

    /** One round: wishes, notifications, ping; then a wait, where waiting is left to us. */
    private void serve(ListenerSession open) throws SQLException, InterruptedException {
        for (int lane : holds.leaving()) {
            holds.left(lane, open.unlock(lane));
        }
        for (int lane : holds.wanted()) {
            tryFor(open, lane);
        }
        boolean busy = busy();
        tell(open.heard(busy ? Duration.ZERO : IDLE_WAIT));
        open.pingAfter(SILENCE);
        if (busy) {
            holds.await(BUSY_WAIT);
        }
    }

    private boolean busy() {
        return holds.anyHeld()
                || System.nanoTime() - expectingUntil < 0
                || holds.wanted().stream().anyMatch(this::retriedSoon);
    }

    private boolean retriedSoon(int lane) {
        Refused tries = refused.get(lane);
        return tries == null || tries.pause.compareTo(IDLE_WAIT) < 0;
    }

    private void tryFor(ListenerSession open, int lane) throws SQLException {
        Refused tries = refused.get(lane);
        if (tries != null && System.nanoTime() - tries.retryAt < 0) {
            return;
        }
        if (!open.tryLock(lane)) {
            refused(open, lane);
            return;
        }
        refused.remove(lane);
        if (!holds.took(lane)) {
            open.unlock(lane);
        }
    }

    /** Most refusals are an append's own try of that moment. One that lasts is a session that should not be there. */
    private void refused(ListenerSession open, int lane) throws SQLException {
        Refused tries = refused.computeIfAbsent(lane, unused -> new Refused());
        long now = System.nanoTime();
        if (now - tries.since > PATIENCE.toNanos()) {
            refused.remove(lane);
            endOtherHolder(open, lane);
            return;
        }
        tries.retryAt = now + tries.pause.toNanos();
        tries.pause = tries.pause.multipliedBy(2).compareTo(LAST_RETRY) < 0 ? tries.pause.multipliedBy(2) : LAST_RETRY;
    }

    private void endOtherHolder(ListenerSession open, int lane) throws SQLException {
        try {
            long ended = open.endOtherHolder(lane);
            LOG.info("ended sessions that held the wake lock of another relay. lane={} sessions={}", lane, ended);
        } catch (SQLException e) {
            if (!SqlFailures.forbidden(e)) {
                throw e;
            }
            LOG.debug("no right to end the session that holds the wake lock: the relay stays awake. lane={}", lane, e);
        }
    }

    private void appended(int lane) {
        expectingUntil = System.nanoTime() + EXPECTING.toNanos();
        hearer.appended(lane);
    }

    private void tell(List<String> heard) {
        for (String channel : heard) {
            Runnable told = channels.get(channel);
            if (told != null) {
                told.run();
            }
        }
    }

    private void pause(Duration time) {
        try {
            long end = System.nanoTime() + time.toNanos();
            for (long left = time.toNanos(); left > 0 && !stopping; left = end - System.nanoTime()) {
                holds.await(Duration.ofNanos(left));
            }
        } catch (InterruptedException e) {
            stopping = true;
        }
    }

    private void up() {
        if (down) {
            LOG.info("listening again");
            down = false;
        }
    }

    private void down(Exception why) {
        if (!stopping && !down) {
            LOG.warn(
                    "the listener's connection was lost; the relay polls until it is made again. cause={}",
                    why.toString());
            LOG.debug("how it was lost", why);
            down = true;
        }
    }
}
