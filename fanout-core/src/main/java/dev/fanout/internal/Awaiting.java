// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.ChildSpec;
import dev.fanout.StoreUnavailableException;
import dev.fanout.internal.await.Waits;
import dev.fanout.internal.step.Aside;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Platform;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a child to apply an event: told at once when the child runs in this process, asking the store ever more
 * slowly when it runs elsewhere. It asks on the platform's threads, one question at a time: a store that is silent, or a pool
 * that the caller itself has emptied, does not make anyone wait longer than it said.
 *
 * @param <T> the transaction handle of the store
 */
public final class Awaiting<T> {

    /** So that a wait of no length is a question, and gets its answer. */
    private static final long FIRST_LOOK = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(200);

    private final Engine<T> engine;
    private final Platform platform;

    Awaiting(Engine<T> engine) {
        this.engine = engine;
        this.platform = engine.store().platform();
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
        Waits waits = engine.waits();
        Waits.Wait wait = waits.begin(child, appended.entity(), appended.version());
        try {
            return waiting(new Look(spec, appended), wait, timeout);
        } finally {
            waits.end(child, appended.entity(), wait);
        }
    }

    private IllegalArgumentException unknown(String child) {
        return new IllegalArgumentException("child '" + child + "' is not declared; declared children: "
                + engine.roster().all().stream().map(ChildSpec::name).toList());
    }

    private Applied waiting(Look look, Waits.Wait wait, Duration timeout) {
        long end = platform.nanoTime() + Aside.nanos(timeout);
        CompletableFuture<Optional<Applied>> answer = Aside.begin(platform, look);
        await(answer, wait, Math.max(left(end), FIRST_LOOK));
        for (long pause = FIRST_PAUSE; known(answer, wait).isEmpty(); pause = Math.min(2 * pause, LONGEST_PAUSE)) {
            if (answer.isDone() && left(end) > 0) {
                platform.await(wait.done(), Math.min(pause, left(end)));
                answer = Aside.begin(platform, look);
            }
            await(answer, wait, left(end));
            if (left(end) <= 0 || Thread.currentThread().isInterrupted()) {
                return known(answer, wait).orElse(Applied.TIMED_OUT);
            }
        }
        return known(answer, wait).orElseThrow();
    }

    private void await(CompletableFuture<?> answer, Waits.Wait wait, long nanos) {
        platform.await(CompletableFuture.anyOf(answer, wait.done()), nanos);
    }

    private long left(long end) {
        return Math.max(0, end - platform.nanoTime());
    }

    private static Optional<Applied> known(CompletableFuture<Optional<Applied>> answer, Waits.Wait wait) {
        return wait.done().isDone() ? Optional.of(wait.done().join()) : found(answer);
    }

    /** A store that can't be reached says neither yes nor no, and may be back in time. */
    private static Optional<Applied> found(CompletableFuture<Optional<Applied>> answer) {
        try {
            return answer.getNow(Optional.empty());
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof StoreUnavailableException) {
                return Optional.empty();
            }
            if (failed.getCause() instanceof RejectedExecutionException) {
                throw new IllegalStateException("fanout is closed, and nobody can be waited for here", failed);
            }
            throw failed.getCause() instanceof RuntimeException failure ? failure : failed;
        }
    }

    /** One question to the store, asked again and again. */
    private final class Look implements Supplier<Optional<Applied>> {
        private final ChildSpec<T> child;
        private final Appended appended;
        private @Nullable Question question;

        Look(ChildSpec<T> child, Appended appended) {
            this.child = child;
            this.appended = appended;
        }

        @Override
        public Optional<Applied> get() {
            Optional<Layout> layout = engine.layout();
            Question known = question;
            if (known == null) {
                Way way = Way.to(child, engine.parts(), engine.roster(), layout);
                if (!appended.streams().contains(way.root())) {
                    return Optional.of(Applied.FILTERED);
                }
                known = new Question(engine.store(), way, appended.entity(), appended.version());
                question = known;
            }
            return layout.flatMap(known::ask);
        }
    }
}
