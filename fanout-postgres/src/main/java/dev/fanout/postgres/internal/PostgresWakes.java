// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.spi.Wakes;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Wakes by LISTEN, and the wake lock of each lane.
 *
 * <p><b>Who may skip its NOTIFY.</b> A transaction that notifies takes one lock of the whole cluster at commit, through the
 * flush, so that notifying commits do not group. An append therefore notifies only a relay that sleeps. While a relay is
 * awake it polls by itself and holds an exclusive advisory lock per lane; an append, as its very last expression, tries that
 * lock shared and lets go of it at once: taken means asleep, so notify; refused means awake, so nothing.
 *
 * <p><b>How a relay falls asleep</b>, so that no commit that skipped its NOTIFY is missed:
 * <ol>
 *   <li>it lets go of the lock ({@link #letGo});
 *   <li>in a <i>later</i> statement it reads the next transaction id to be given out, the horizon;
 *   <li>it goes on polling, slowly, until a look's snapshot shows that every transaction below the horizon has ended;
 *   <li>that look, or a later one, was its last: it sleeps. A notification at any time wakes it again.
 * </ol>
 *
 * <p><b>Why that is enough.</b> Take an append whose try was refused, so that it will commit in silence. It wrote its rows
 * before the try, so it had its transaction id before the try. The try came before the lock was let go of, else it would
 * have succeeded; and the horizon was read after that. So its id is below the horizon: step 3 waits for its end, and the
 * look of step 4 sees its row. Every append whose try comes later takes the lock and notifies, and LISTEN was there all the
 * time: the notification arrives at its commit. {@code models/wake.py} walks all interleavings, and finds the lost row when
 * step 3 is left out. The horizon is not the snapshot's {@code xmax}: that one is the highest id that has ended, plus one, and
 * transactions that run may be above it.
 *
 * <p><b>What makes it a hint.</b> The lock decides who notifies, never who may publish (that is the lease). It is only ever
 * <i>tried</i>: a queued exclusive request would make all shared tries fail while nobody polls. A relay that does not hold it
 * stays awake. A lost connection loses all locks; the server may learn of it late, and until then appends are silent:
 * so {@link #letGo} proves nothing then, the lock is tried again on the new connection, and a session that stands in the
 * way for {@link Listener#PATIENCE} is ended.
 *
 * <p><b>One connection, one thread.</b> The lock must live on the connection whose loss is noticed, and the driver blocks a
 * connection that waits for notifications. So the {@link Listener}'s thread alone uses it, and carries out between two waits
 * what the engine's threads leave in {@link LaneHolds}.
 */
public final class PostgresWakes implements Wakes {

    /** A dead connection is given this long before the relay goes on without an answer; it then stays awake. */
    private static final Duration ANSWER = Duration.ofSeconds(1);

    private final Database database;
    private final Supplier<Set<Integer>> lanes;
    private final LaneHolds holds = new LaneHolds();
    private @Nullable Listener listener;

    /**
     * Makes the wakes; nothing is connected before {@link #listen}.
     *
     * @param database the shared parts of the store
     * @param lanes the lanes whose appends are to be heard, asked at each connection
     */
    public PostgresWakes(Database database, Supplier<Set<Integer>> lanes) {
        this.database = database;
        this.lanes = lanes;
    }

    @Override
    public synchronized void listen(Hearer hearer) {
        if (listener != null) {
            throw new IllegalStateException("already listening: stop() first");
        }
        if (database.direct().available()) {
            listener = new Listener(database, lanes, holds, hearer);
            listener.start();
        }
    }

    @Override
    public synchronized void stop() {
        if (listener != null) {
            listener.stop();
            listener = null;
        }
    }

    @Override
    public boolean hold(int lane) {
        return holds.hold(lane);
    }

    @Override
    public OptionalLong letGo(int lane) {
        try {
            return holds.letGo(lane).get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return OptionalLong.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalLong.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("an answer is a number or nothing", e);
        }
    }
}
