// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import dev.fanout.Fanout;
import dev.fanout.Status;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Waits until nothing is on its way: the outbox is empty, and every child has examined all that was published. */
public final class Drained {

    private static final Duration EVERY = Duration.ofMillis(20);

    private Drained() {}

    /**
     * Waits until an engine is drained.
     *
     * @param fanout the engine; its children are those that it declares, wherever they run
     * @param timeout how long at the most
     * @return the distances at the end, all zero
     * @throws AssertionError if the time was up first, with the distances
     */
    public static Status await(Fanout<?> fanout, Duration timeout) {
        AtomicReference<Status> last = new AtomicReference<>(fanout.status());
        try {
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(EVERY)
                    .atMost(timeout)
                    .until(() -> {
                        Status now = fanout.status();
                        last.set(now);
                        return now.isDrained();
                    });
        } catch (ConditionTimeoutException late) {
            throw new AssertionError("not drained after " + timeout + ": " + last.get(), late);
        }
        return Objects.requireNonNull(last.get());
    }
}
