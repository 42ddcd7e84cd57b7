// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.ChildSpec;
import dev.fanout.internal.await.Waits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for a child to apply an event: told at once when the child runs in this process, asking the store ever more
 * slowly when it runs elsewhere.
 *
 * @param <T> the transaction handle of the store
 */
public final class Awaiting<T> {

    private static final long FIRST_ASK = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long SLOWEST_ASK = TimeUnit.MILLISECONDS.toNanos(200);

    private final Engine<T> engine;

    Awaiting(Engine<T> engine) {
        this.engine = engine;
    }

    /**
     * Waits.
     *
     * @param child a declared child
     * @param appended what was appended
     * @param timeout how long at the most; an interrupt ends it early, as a time-out with the thread's flag set
     * @return what became of it
     */
    public Applied applied(String child, Appended appended, Duration timeout) {
        ChildSpec<T> spec = engine.roster().find(child).orElseThrow(() -> unknown(child));
        Way way = Way.to(spec, engine.parts(), engine.roster(), engine.layout());
        if (!appended.streams().contains(way.root())) {
            return Applied.FILTERED;
        }
        Question question = new Question(engine.store(), way, appended.entity(), appended.version());
        Waits waits = engine.waits();
        Waits.Wait wait = waits.begin(child, appended.entity(), appended.version());
        try {
            return waiting(question, wait, timeout);
        } finally {
            waits.end(child, appended.entity(), wait);
        }
    }

    private IllegalArgumentException unknown(String child) {
        return new IllegalArgumentException("child '" + child + "' is not declared; declared children: "
                + engine.roster().all().stream().map(ChildSpec::name).toList());
    }

    private Applied waiting(Question question, Waits.Wait wait, Duration timeout) {
        long begun = engine.store().platform().nanoTime();
        for (long ask = FIRST_ASK; ; ask = Math.min(2 * ask, SLOWEST_ASK)) {
            Optional<Applied> known = engine.layout().flatMap(question::ask);
            if (known.isPresent()) {
                return known.get();
            }
            long left = timeout.toNanos() - (engine.store().platform().nanoTime() - begun);
            if (left <= 0) {
                return Applied.TIMED_OUT;
            }
            Optional<Applied> told = told(wait, Math.min(ask, left));
            if (told.isPresent()) {
                return told.get();
            }
            if (Thread.currentThread().isInterrupted()) {
                return Applied.TIMED_OUT;
            }
        }
    }

    private static Optional<Applied> told(Waits.Wait wait, long nanos) {
        try {
            return Optional.of(wait.done().get(nanos, TimeUnit.NANOSECONDS));
        } catch (TimeoutException notYet) {
            return Optional.empty();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
