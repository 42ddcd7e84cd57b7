// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Does things on several threads, and fails when one of them does. */
final class Parallel {

    /** What is done with each. */
    interface Task<T> {
        void accept(T one) throws Exception;
    }

    private Parallel() {}

    static <T> void forEach(int threads, Collection<T> all, Task<T> task) throws InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Void>> calls = new ArrayList<>();
            for (T one : all) {
                calls.add(() -> {
                    task.accept(one);
                    return null;
                });
            }
            for (Future<Void> call : executor.invokeAll(calls)) {
                call.get();
            }
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed.getCause());
        } finally {
            executor.shutdownNow();
        }
    }
}
