// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tasks that are run several at a time, with one thread waiting for all of them. That thread takes part, so that they are all
 * done even if there is no other: the executor may be shut down, or the system have no more threads.
 */
final class TogetherTasks {

    private final List<Runnable> tasks;
    private final AtomicInteger next = new AtomicInteger();
    private final CountDownLatch open;

    TogetherTasks(List<Runnable> tasks) {
        this.tasks = List.copyOf(tasks);
        this.open = new CountDownLatch(tasks.size());
    }

    void run(Executor helpers, int atOnce) {
        int wanted = Math.min(atOnce, tasks.size()) - 1;
        for (int i = 0; i < wanted && open.getCount() > 0; i++) {
            if (!begin(helpers)) {
                break;
            }
        }
        work();
        awaitOthers();
    }

    private boolean begin(Executor helpers) {
        try {
            helpers.execute(this::work);
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError none) {
            return false;
        }
    }

    private void work() {
        for (int i = next.getAndIncrement(); i < tasks.size(); i = next.getAndIncrement()) {
            try {
                tasks.get(i).run();
            } finally {
                open.countDown();
            }
        }
    }

    /** MUST wait through an interrupt: whoever asked goes on as if nothing of it ran any more. */
    private void awaitOthers() {
        boolean interrupted = false;
        while (true) {
            try {
                open.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
