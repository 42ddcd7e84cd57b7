// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.relay;

import dev.fanout.Settings;
import dev.fanout.internal.step.Next;
import dev.fanout.spi.Outbox.Publication;
import dev.fanout.spi.Wakes;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Decides when a relay looks next, and who may skip a notification meanwhile.
 *
 * <p>AWAKE: it asks to hold the lane. While the lane is held, appends are silent, so it polls by itself. When nothing has
 * come for a while it lets go, draws a transaction id after the release, the horizon, and is DROWSY.
 *
 * <p>DROWSY: whoever tries the lock from now on finds it free and notifies. Whoever found it held had a transaction id
 * before the release, hence one below the horizon. So it keeps looking, ever more slowly, until a look's own snapshot shows
 * all of those ended ({@code running >= horizon}). That look saw all that they committed: if it was empty, the relay falls
 * ASLEEP.
 *
 * <p>ASLEEP: a notification, a local signal or the backstop makes it look. One lone append is published without leaving
 * ASLEEP: the lane was free all along, so whoever comes next notifies again. A second one shortly after, or many at once,
 * make it AWAKE.
 *
 * <p>It MUST NOT fall asleep without having held the lane and let go of it itself: a dead node's backend may hold the lock
 * still, and appends would be silent with nobody looking. Until it holds the lane it stays AWAKE and polls, slowly where
 * nothing comes. Checked over every interleaving by {@code docs/models/wake.py}.
 */
final class Wakefulness {

    enum State {
        AWAKE,
        DROWSY,
        ASLEEP
    }

    /** An awake relay looks this often: half the latency of LISTEN through the driver. */
    static final Duration AWAKE_POLL = Duration.ofMillis(1);

    /**
     * A lane is busy while so many rows came lately: then fewer, fatter publications cost the database, and the appenders
     * that share its processors, less.
     */
    static final int BUSY_ROWS = 32;

    /** What came counts half after so long: 32 rows are some 900 a second. */
    static final Duration HALF_LIFE = Duration.ofMillis(25);

    /** A busy relay pauses so long between two looks, unless there is a full slab to publish. */
    static final Duration BUSY_PAUSE = Duration.ofMillis(8);

    /**
     * A relay that may not sleep yet looks at least this often, however long the backstop's interval is: appends may be
     * silent meanwhile.
     */
    static final Duration SLOWEST_POLL = Duration.ofSeconds(1);

    /** Until the commit of a local append can be seen, a relay looks this often. */
    static final Duration HINT_POLL = Duration.ofNanos(500_000);

    /** For this long after a local append its commit is expected any moment. */
    static final Duration HINT_LASTS = Duration.ofMillis(5);

    private final Settings settings;
    private final Wakes wakes;
    private final int lane;

    private State state = State.AWAKE;
    private long horizon;
    private long lastRows;
    private int emptyLooks;
    private long recentRows;
    private long halvedAt;

    Wakefulness(Settings settings, Wakes wakes, int lane, long now) {
        this.settings = settings;
        this.wakes = wakes;
        this.lane = lane;
        this.lastRows = now;
        this.halvedAt = now;
    }

    State state() {
        return state;
    }

    /** Whether the relay looks soon whoever tells it of rows, and finds more of them then. A busy relay is awake. */
    boolean isBusy() {
        return state == State.AWAKE && recentRows >= BUSY_ROWS;
    }

    /** Says when to look again after a look that found rows; {@code full} if there may be more. */
    Next afterRows(int rows, boolean full, long now) {
        boolean soonAfterTheLast = now - lastRows < settings.awakeFor().toNanos() / 2;
        lastRows = now;
        emptyLooks = 0;
        count(rows, now);
        if (soonAfterTheLast || full || recentRows >= BUSY_ROWS) {
            state = State.AWAKE;
        }
        if (state == State.AWAKE) {
            wakes.hold(lane);
        }
        if (full) {
            return Next.NOW;
        }
        return switch (state) {
            case AWAKE -> Next.after(isBusy() ? BUSY_PAUSE : AWAKE_POLL);
            case DROWSY -> Next.after(AWAKE_POLL);
            case ASLEEP -> Next.after(settings.pollInterval());
        };
    }

    /** Says when to look again after a look that found none; {@code hinted} while a local commit is expected. */
    Next afterNone(Publication look, long now, boolean hinted) {
        emptyLooks++;
        count(0, now);
        return switch (state) {
            case AWAKE -> awake(now, hinted);
            case DROWSY -> drowsy(look, hinted);
            case ASLEEP -> Next.after(hinted ? HINT_POLL : settings.pollInterval());
        };
    }

    private void count(int rows, long now) {
        long halvings = (now - halvedAt) / HALF_LIFE.toNanos();
        if (halvings > 0) {
            recentRows >>= Math.min(halvings, 62);
            halvedAt = now;
        }
        recentRows += rows;
    }

    private Next awake(long now, boolean hinted) {
        boolean held = wakes.hold(lane);
        if (now - lastRows <= settings.awakeFor().toNanos()) {
            return Next.after(hinted ? HINT_POLL : AWAKE_POLL);
        }
        if (held) {
            OptionalLong drawn = wakes.letGo(lane);
            if (drawn.isPresent()) {
                horizon = drawn.getAsLong();
                state = State.DROWSY;
                emptyLooks = 0;
                return Next.NOW;
            }
        }
        return hinted ? Next.after(HINT_POLL) : slower();
    }

    private Next drowsy(Publication look, boolean hinted) {
        if (look.running() >= horizon) {
            state = State.ASLEEP;
            return Next.after(hinted ? HINT_POLL : settings.pollInterval());
        }
        return hinted ? Next.after(HINT_POLL) : slower();
    }

    private Next slower() {
        Duration longest = min(SLOWEST_POLL, settings.pollInterval());
        return Next.after(min(AWAKE_POLL.multipliedBy(1L << Math.min(emptyLooks, 20)), longest));
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
