// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.FanoutListener;
import dev.fanout.StoreUnavailableException;
import dev.fanout.internal.TestPlatform;
import dev.fanout.spi.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ActivityTest {

    private final TestPlatform platform = new TestPlatform();
    private final Outages outages = outages(platform);
    private final Counting worker = new Counting();
    private final Activity activity = new Activity(platform, worker, outages);

    @Test
    void nothing_runs_before_the_first_signal() {
        platform.pass(Duration.ofHours(1));

        assertThat(worker.steps).isZero();
    }

    @Test
    void a_step_at_once_follows_without_a_signal() {
        worker.answers.addAll(List.of(Next.NOW, Next.NOW));

        activity.signal();
        platform.settle();

        assertThat(worker.steps).isEqualTo(3);
    }

    @Test
    void a_step_after_a_while_comes_then_and_once() {
        worker.answers.add(Next.after(Duration.ofSeconds(5)));

        activity.signal();
        platform.pass(Duration.ofMillis(4_999));
        assertThat(worker.steps).isEqualTo(1);
        platform.pass(Duration.ofHours(1));
        assertThat(worker.steps).isEqualTo(2);
    }

    @Test
    void a_signal_brings_the_step_earlier_and_calls_the_timer_off() {
        worker.answers.add(Next.after(Duration.ofSeconds(5)));

        activity.signal();
        platform.settle();
        activity.signal();
        platform.pass(Duration.ofHours(1));

        assertThat(worker.steps).isEqualTo(2);
    }

    @Test
    void a_signal_during_a_step_is_remembered() {
        worker.during = () -> {
            worker.during = () -> {};
            activity.signal();
            activity.signal();
        };

        activity.signal();
        platform.settle();

        assertThat(worker.steps).isEqualTo(2);
    }

    @Test
    void a_step_that_fails_comes_again_after_a_pause() {
        worker.during = () -> {
            worker.during = () -> {};
            throw new IllegalStateException("once");
        };

        activity.signal();
        platform.settle();
        assertThat(worker.steps).isEqualTo(1);
        platform.pass(Duration.ofSeconds(1));
        assertThat(worker.steps).isEqualTo(2);
    }

    @Test
    void an_error_does_not_end_the_worker_either() {
        worker.during = () -> {
            worker.during = () -> {};
            throw new AssertionError("once");
        };

        activity.signal();
        platform.pass(Duration.ofSeconds(1));

        assertThat(worker.steps).isEqualTo(2);
    }

    @Test
    void stopping_before_the_start_ends_it_for_good() {
        assertThat(activity.stop()).isCompleted();

        activity.signal();
        activity.signalAfter(Duration.ofSeconds(1));
        platform.pass(Duration.ofHours(1));

        assertThat(worker.steps).isZero();
    }

    @Test
    void stopping_waits_for_the_step_that_runs_and_no_other_follows() {
        List<Boolean> doneDuringTheStep = new ArrayList<>();
        worker.answers.add(Next.NOW);
        worker.during = () -> doneDuringTheStep.add(activity.stop().isDone());

        activity.signal();
        platform.settle();

        assertThat(doneDuringTheStep).containsExactly(false);
        assertThat(activity.stop()).isCompleted();
        activity.signal();
        platform.settle();
        assertThat(worker.steps).isEqualTo(1);
    }

    @Test
    void a_step_that_was_queued_when_it_was_stopped_does_not_run() {
        activity.signal();
        CompletableFuture<Void> stopped = activity.stop();
        assertThat(stopped).isNotCompleted();

        platform.settle();

        assertThat(stopped).isCompleted();
        assertThat(worker.steps).isZero();
    }

    @Test
    void a_platform_that_is_shut_down_ends_it() {
        Activity refused = new Activity(new ShutDown(), worker, outages);

        refused.signal();

        assertThat(refused.stop()).isCompleted();
    }

    @Test
    void steps_never_overlap_no_signal_is_lost_and_none_runs_after_the_end() throws Exception {
        try (Threads threads = new Threads()) {
            for (int round = 0; round < 200; round++) {
                Exclusive exclusive = new Exclusive();
                Activity busy = new Activity(threads, exclusive, outages(threads));
                signalFromManyThreads(threads, busy, exclusive);
                busy.stop().get(10, TimeUnit.SECONDS);
                exclusive.ended = true;
                busy.signal();
                assertThat(exclusive.faults).hasValue(0);
                assertThat(exclusive.seen).isEqualTo(exclusive.written.get());
            }
            assertThat(threads.faults).hasValue(0);
        }
    }

    private static void signalFromManyThreads(Threads threads, Activity busy, Exclusive exclusive) throws Exception {
        CountDownLatch all = new CountDownLatch(4);
        for (int thread = 0; thread < 4; thread++) {
            threads.execute(() -> {
                for (int i = 0; i < 20; i++) {
                    exclusive.written.incrementAndGet();
                    busy.signal();
                }
                all.countDown();
            });
        }
        assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(exclusive.sawAll.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void hundreds_that_are_signalled_and_stopped_at_once_all_end_with_no_step_behind() throws Exception {
        try (Threads threads = new Threads()) {
            List<Exclusive> workers = new ArrayList<>();
            List<CompletableFuture<Void>> ends = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                Exclusive one = new Exclusive();
                one.restless = true;
                Activity restless = new Activity(threads, one, outages(threads));
                CompletableFuture<Void> end = new CompletableFuture<>();
                threads.execute(restless::signal);
                threads.execute(() -> {
                    CompletableFuture<Void> unused = restless.stop().thenRun(() -> {
                        one.ended = true;
                        end.complete(null);
                    });
                });
                threads.execute(restless::signal);
                workers.add(one);
                ends.add(end);
            }
            CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
            assertThat(workers).allMatch(one -> one.faults.get() == 0);
        }
    }

    private static Outages outages(Platform platform) {
        return new Outages(
                new Backoff(platform, Duration.ofMillis(200), Duration.ofSeconds(5)), new FanoutListener() {});
    }

    private static final class Counting implements Worker {

        private final List<Next> answers = new ArrayList<>();
        private Runnable during = () -> {};
        private int steps;

        @Override
        public Next step() {
            steps++;
            during.run();
            return answers.isEmpty() ? Next.ON_SIGNAL : answers.remove(0);
        }

        @Override
        public String name() {
            return "counting";
        }
    }

    /** Counts a fault when a step overlaps another, or runs after the end. */
    private static final class Exclusive implements Worker {

        private final AtomicInteger written = new AtomicInteger();
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger faults = new AtomicInteger();
        private final CompletableFuture<Boolean> sawAll = new CompletableFuture<>();
        private volatile boolean ended;
        private volatile boolean restless;
        private int seen;

        @Override
        public Next step() {
            if (inside.incrementAndGet() > 1 || ended) {
                faults.incrementAndGet();
            }
            seen = written.get();
            if (seen == 80) {
                sawAll.complete(true);
            }
            inside.decrementAndGet();
            return restless ? Next.after(Duration.ofNanos(1)) : Next.ON_SIGNAL;
        }

        @Override
        public String name() {
            return "exclusive";
        }
    }

    private static final class ShutDown implements Platform {

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public void execute(Runnable task) {
            throw new RejectedExecutionException("shut down");
        }

        @Override
        public void executeAll(List<Runnable> tasks, int atOnce) {
            tasks.forEach(Runnable::run);
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            throw new RejectedExecutionException("shut down");
        }

        @Override
        public long random() {
            return 0;
        }

        @Override
        public boolean shutdown(Duration timeout) {
            return true;
        }
    }

    /** Real threads. */
    private static final class Threads implements Platform, AutoCloseable {

        private final ScheduledExecutorService pool = Executors.newScheduledThreadPool(8);
        private final AtomicInteger faults = new AtomicInteger();

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void execute(Runnable task) {
            pool.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException | Error fault) {
                    faults.incrementAndGet();
                    throw fault;
                }
            });
        }

        @Override
        public void executeAll(List<Runnable> tasks, int atOnce) {
            tasks.forEach(Runnable::run);
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            var scheduled = pool.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        }

        @Override
        public long random() {
            return 0;
        }

        @Override
        public boolean shutdown(Duration timeout) {
            pool.shutdownNow();
            return true;
        }

        @Override
        public void close() {
            pool.shutdown();
            try {
                assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void a_step_that_may_not_act_says_nothing_of_the_store() {
        List<String> heard = new ArrayList<>();
        Outages told =
                new Outages(new Backoff(platform, Duration.ofMillis(200), Duration.ofSeconds(5)), new FanoutListener() {
                    @Override
                    public void storeUnavailable(Throwable cause) {
                        heard.add("unavailable");
                    }

                    @Override
                    public void storeAvailable() {
                        heard.add("available");
                    }
                });
        worker.during = () -> {
            worker.during = () -> {};
            throw new StoreUnavailableException("down", null);
        };
        worker.answers.add(Next.idleFor(Duration.ofSeconds(1)));

        new Activity(platform, worker, told).signal();
        platform.pass(Duration.ofSeconds(1));
        assertThat(worker.steps).isEqualTo(2);
        assertThat(heard).containsExactly("unavailable");
        platform.pass(Duration.ofSeconds(1));
        assertThat(heard).containsExactly("unavailable", "available");
    }

    @Test
    void a_worker_whose_activity_has_stopped_does_not_keep_an_outage_up() {
        List<String> heard = new ArrayList<>();
        Outages told =
                new Outages(new Backoff(platform, Duration.ofMillis(200), Duration.ofSeconds(5)), new FanoutListener() {
                    @Override
                    public void storeAvailable() {
                        heard.add("available");
                    }
                });
        worker.during = () -> {
            throw new StoreUnavailableException("down", null);
        };
        Activity stopped = new Activity(platform, worker, told);
        stopped.signal();
        platform.pass(Duration.ZERO);
        told.failed("another", new StoreUnavailableException("down", null));

        assertThat(stopped.stop()).isDone();
        assertThat(heard).isEmpty();
        told.succeeded("another");

        assertThat(heard).containsExactly("available");
    }
}
