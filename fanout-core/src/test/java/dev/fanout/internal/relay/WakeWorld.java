// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.relay;

import dev.fanout.Settings;
import dev.fanout.spi.Outbox.Publication;
import dev.fanout.spi.Wakes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Appends that try the wake lock and notify or keep silent, beside a relay with a real {@link Wakefulness} and no backstop:
 * what {@code docs/models/wake.py} is in Python.
 */
final class WakeWorld implements Interleavings.World, Wakes {

    /** Which safeguard is missing. */
    enum Broken {
        NOTHING,
        /** The relay falls asleep without waiting for those who saw it awake. */
        NO_DROWSY_WAIT,
        /** The horizon is drawn before the lock is let go of. */
        HORIZON_BEFORE_RELEASE,
        /** The snapshot's xmax, which running transactions may be above, is taken for the horizon. */
        XMAX_FOR_HORIZON,
        /** An append tries the lock before its transaction has an id. */
        TRY_BEFORE_TRANSACTION,
        /** A notification that comes during a look is forgotten with it. */
        SIGNAL_FORGOTTEN,
        /** The relay believes that it holds the lane while a dead node's backend does. */
        HOLD_NOT_OURS
    }

    private enum Phase {
        START,
        INSERTED,
        SILENT,
        NOTIFYING,
        COMMITTED
    }

    private static final Duration LONG = Duration.ofMillis(200);

    private final Broken broken;
    private final Phase[] appends;
    private final long[] transactions;
    private final boolean[] published;
    private final Wakefulness wakefulness;
    private long nextTransaction = 1;
    private long horizon;
    private long drawnBefore;
    private boolean wanted;
    private boolean held;
    private boolean deadNodeHolds;
    private boolean signal;
    private long now;
    private long lastRows;
    private Publication look;
    private int rows;

    WakeWorld(int appends, boolean deadNodeHolds, Broken broken) {
        this.broken = broken;
        this.deadNodeHolds = deadNodeHolds;
        this.appends = new Phase[appends];
        Arrays.fill(this.appends, Phase.START);
        this.transactions = new long[appends];
        this.published = new boolean[appends];
        this.wakefulness = new Wakefulness(Settings.defaults(), this, 0, 0);
    }

    @Override
    public String key() {
        return Arrays.toString(appends) + Arrays.toString(transactions) + Arrays.toString(published)
                + wakefulness.state() + nextTransaction + "/" + horizon + "/" + drawnBefore + wanted + held
                + deadNodeHolds + signal + (now > lastRows) + look + rows;
    }

    @Override
    public List<Runnable> moves() {
        List<Runnable> moves = new ArrayList<>();
        for (int i = 0; i < appends.length; i++) {
            addMovesOf(i, moves);
        }
        if (wanted && !held && !deadNodeHolds) {
            moves.add(() -> {
                held = true;
                drawnBefore = nextTransaction;
            });
        }
        if (deadNodeHolds) {
            moves.add(() -> deadNodeHolds = false);
        }
        if (look != null) {
            moves.add(this::decide);
            moves.add(() -> {
                now += LONG.toNanos();
                decide();
            });
        } else if (wakefulness.state() != Wakefulness.State.ASLEEP || signal) {
            moves.add(this::look);
        }
        return moves;
    }

    private void addMovesOf(int i, List<Runnable> moves) {
        switch (appends[i]) {
            case START -> moves.add(() -> insert(i));
            case INSERTED -> moves.add(() -> tryLock(i));
            case SILENT, NOTIFYING -> moves.add(() -> commit(i));
            case COMMITTED -> {
                // it has ended
            }
        }
    }

    private void insert(int i) {
        appends[i] = Phase.INSERTED;
        if (broken != Broken.TRY_BEFORE_TRANSACTION) {
            transactions[i] = nextTransaction++;
        }
    }

    private void tryLock(int i) {
        appends[i] = held || deadNodeHolds ? Phase.SILENT : Phase.NOTIFYING;
    }

    private void commit(int i) {
        if (transactions[i] == 0) {
            transactions[i] = nextTransaction++;
        }
        signal |= appends[i] == Phase.NOTIFYING;
        appends[i] = Phase.COMMITTED;
    }

    /** One snapshot: what it shows is published, whatever happens until the relay has decided. */
    private void look() {
        signal &= broken == Broken.SIGNAL_FORGOTTEN;
        rows = 0;
        long running = nextTransaction;
        for (int i = 0; i < appends.length; i++) {
            if (appends[i] == Phase.COMMITTED) {
                rows += published[i] ? 0 : 1;
                published[i] = true;
            } else if (transactions[i] > 0) {
                running = Math.min(running, transactions[i]);
            }
        }
        look = new Publication(List.of(), running, 0);
    }

    private void decide() {
        if (rows > 0) {
            wakefulness.afterRows(rows, false, now);
            lastRows = now;
        } else {
            wakefulness.afterNone(look, now, false);
        }
        signal &= broken != Broken.SIGNAL_FORGOTTEN;
        look = null;
        rows = 0;
    }

    @Override
    public Optional<String> violation() {
        boolean sleeps = wakefulness.state() == Wakefulness.State.ASLEEP && look == null && !signal;
        for (int i = 0; i < appends.length; i++) {
            if (sleeps && appends[i] == Phase.COMMITTED && !published[i]) {
                return Optional.of("asleep with a row of append " + i + " committed, and no signal");
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean hold(int lane) {
        wanted = true;
        return held || (broken == Broken.HOLD_NOT_OURS && deadNodeHolds);
    }

    @Override
    public OptionalLong letGo(int lane) {
        wanted = false;
        if (!held && !(broken == Broken.HOLD_NOT_OURS && deadNodeHolds)) {
            return OptionalLong.empty();
        }
        held = false;
        horizon = switch (broken) {
            case NO_DROWSY_WAIT -> 0;
            case HORIZON_BEFORE_RELEASE -> drawnBefore;
            case XMAX_FOR_HORIZON -> xmax();
            default -> nextTransaction++;
        };
        return OptionalLong.of(horizon);
    }

    private long xmax() {
        long highestEnded = 0;
        for (int i = 0; i < appends.length; i++) {
            if (appends[i] == Phase.COMMITTED) {
                highestEnded = Math.max(highestEnded, transactions[i]);
            }
        }
        return highestEnded + 1;
    }

    @Override
    public void listen(Hearer hearer) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void stop() {
        throw new UnsupportedOperationException();
    }
}
