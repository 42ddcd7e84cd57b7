// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** {@code Platform.executeAll}. */
abstract class PlatformContract<T> extends Scene<T> {

    @Test
    void all_tasks_have_ended_when_it_returns_and_never_more_run_at_once_than_allowed() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        Runnable task = () -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            running.decrementAndGet();
            ended.incrementAndGet();
        };
        store.platform().executeAll(Collections.nCopies(1_000, task), 4);
        assertThat(ended).hasValue(1_000);
        assertThat(most).hasValueLessThanOrEqualTo(4);
    }

    @Test
    void as_many_run_at_once_as_are_allowed() {
        CyclicBarrier together = new CyclicBarrier(8);
        AtomicInteger met = new AtomicInteger();
        Runnable task = () -> {
            meet(together);
            met.incrementAndGet();
        };
        store.platform().executeAll(Collections.nCopies(16, task), 8);
        assertThat(met).hasValue(16);
    }

    @Test
    void one_at_a_time_they_run_in_the_order_given() {
        List<Integer> ran = new ArrayList<>();
        List<Runnable> tasks = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int n = i;
            tasks.add(() -> ran.add(n));
        }
        store.platform().executeAll(tasks, 1);
        assertThat(ran).hasSize(100).isSorted();
    }

    @Test
    void no_tasks_are_no_work() {
        store.platform().executeAll(List.of(), 4);
    }

    @Test
    void tasks_may_themselves_run_tasks() {
        AtomicInteger ran = new AtomicInteger();
        Runnable inner = ran::incrementAndGet;
        Runnable outer = () -> store.platform().executeAll(Collections.nCopies(10, inner), 4);
        store.platform().executeAll(Collections.nCopies(10, outer), 4);
        assertThat(ran).hasValue(100);
    }

    @Test
    void whoever_waits_waits_through_an_interrupt_and_keeps_it() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        Runnable quick = () -> spinUntil(begun);
        Runnable slow = () -> {
            begun.countDown();
            spinUntil(release);
            ended.set(true);
        };
        Future<Boolean> waiting = inBackground(() -> {
            Thread.currentThread().interrupt();
            store.platform().executeAll(List.of(quick, slow), 2);
            return ended.get() && Thread.interrupted();
        });
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        release.countDown();
        assertThat(await(waiting)).isTrue();
    }

    /** Whatever the thread's interrupt says. */
    private static void spinUntil(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    private static void meet(CyclicBarrier together) {
        try {
            together.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
