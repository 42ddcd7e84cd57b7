// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.ChildSpec;
import dev.fanout.EntityRef;
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
        ChildSpec<T> spec = engine.parts().children().stream()
                .filter(declared -> declared.name().equals(child))
                .findFirst()
                .orElseThrow(() -> unknown(child));
        if (!appended.streams().contains(String.valueOf(spec.stream()))) {
            return Applied.FILTERED;
        }
        Waits waits = engine.waits();
        Waits.Wait wait = waits.begin(child, appended.entity(), appended.version());
        try {
            return waiting(child, appended.entity(), wait, timeout);
        } finally {
            waits.end(child, appended.entity(), wait);
        }
    }

    private IllegalArgumentException unknown(String child) {
        return new IllegalArgumentException("child '" + child + "' is not declared; declared children: "
                + engine.parts().children().stream().map(ChildSpec::name).toList());
    }

    private Applied waiting(String child, EntityRef entity, Waits.Wait wait, Duration timeout) {
        long end = platform.nanoTime() + Aside.nanos(timeout);
        CompletableFuture<Boolean> look = look(child, entity, wait.version());
        await(look, wait, Math.max(left(end), FIRST_LOOK));
        for (long pause = FIRST_PAUSE;
                !wait.done().isDone() && !found(look);
                pause = Math.min(2 * pause, LONGEST_PAUSE)) {
            if (look.isDone() && left(end) > 0) {
                platform.await(wait.done(), Math.min(pause, left(end)));
                look = look(child, entity, wait.version());
            }
            await(look, wait, left(end));
            if (left(end) <= 0 || Thread.currentThread().isInterrupted()) {
                return wait.done().isDone() || found(look) ? Applied.APPLIED : Applied.TIMED_OUT;
            }
        }
        return Applied.APPLIED;
    }

    private void await(CompletableFuture<Boolean> look, Waits.Wait wait, long nanos) {
        platform.await(CompletableFuture.anyOf(look, wait.done()), nanos);
    }

    private long left(long end) {
        return Math.max(0, end - platform.nanoTime());
    }

    private CompletableFuture<Boolean> look(String child, EntityRef entity, long version) {
        return Aside.begin(platform, () -> isApplied(child, entity, version));
    }

    private boolean isApplied(String child, EntityRef entity, long version) {
        Optional<Layout.Attachment> attachment = engine.layout().flatMap(layout -> layout.attachment(child));
        return attachment.isPresent()
                && engine.store().cursors().applied(attachment.get(), entity).orElse(0) >= version;
    }

    /** A store that can't be reached says neither yes nor no, and may be back in time. */
    private static boolean found(CompletableFuture<Boolean> look) {
        try {
            return look.getNow(false);
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof StoreUnavailableException) {
                return false;
            }
            if (failed.getCause() instanceof RejectedExecutionException) {
                throw new IllegalStateException("fanout is closed, and nobody can be waited for here", failed);
            }
            throw failed.getCause() instanceof RuntimeException failure ? failure : failed;
        }
    }
}
