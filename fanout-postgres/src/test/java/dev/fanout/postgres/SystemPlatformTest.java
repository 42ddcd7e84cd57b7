// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.spi.Platform;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SystemPlatformTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final SystemPlatform platform = SystemPlatform.create("platform-test");

    @AfterEach
    void shutdown() {
        platform.shutdown(SOON);
    }

    @Test
    void tasks_run_on_daemon_threads_that_name_the_library() throws Exception {
        Exchanger<Thread> seen = new Exchanger<>();
        platform.execute(() -> exchange(seen, Thread.currentThread()));
        Thread thread = exchange(seen, Thread.currentThread());
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).startsWith("fanout-platform-test-");
    }

    @Test
    void a_task_that_blocks_does_not_keep_another_from_running() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        platform.execute(() -> await(second));
        platform.execute(first::countDown);
        assertThat(first.await(10, TimeUnit.SECONDS)).isTrue();
        second.countDown();
    }

    @Test
    void tasks_to_be_run_together_are_run_by_whoever_asks_once_the_threads_have_ended() {
        platform.shutdown(SOON);
        AtomicInteger ran = new AtomicInteger();
        platform.executeAll(Collections.nCopies(20, ran::incrementAndGet), 8);
        assertThat(ran).hasValue(20);
    }

    @Test
    void a_timer_that_was_called_off_does_not_run() throws Exception {
        AtomicBoolean ran = new AtomicBoolean();
        CountDownLatch later = new CountDownLatch(1);
        Platform.Timer timer = platform.schedule(Duration.ofMillis(50), () -> ran.set(true));
        timer.cancel();
        platform.schedule(Duration.ofMillis(60), later::countDown);
        assertThat(later.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).isFalse();
    }

    @Test
    void a_timer_task_that_fails_leaves_the_timer_running() throws Exception {
        CountDownLatch later = new CountDownLatch(1);
        platform.schedule(Duration.ZERO, () -> {
            throw new IllegalStateException("on purpose");
        });
        platform.schedule(Duration.ofMillis(1), later::countDown);
        assertThat(later.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shutdown_waits_for_running_tasks_and_leaves_no_thread() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        platform.schedule(Duration.ofDays(400_000), () -> ended.set(false));
        platform.execute(() -> {
            begun.countDown();
            ended.set(true);
        });
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(platform.shutdown(SOON)).isTrue();
        assertThat(ended).isTrue();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("fanout-platform-test-"));
        assertThatThrownBy(() -> platform.execute(begun::countDown)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void shutdown_interrupts_what_does_not_end_in_time() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        platform.execute(() -> {
            begun.countDown();
            if (!await(never)) {
                interrupted.countDown();
            }
        });
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(platform.shutdown(Duration.ofMillis(10))).isFalse();
        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_shutdown_can_be_repeated_and_needs_no_start() {
        assertThat(platform.shutdown(Duration.ZERO)).isTrue();
        assertThat(platform.shutdown(Duration.ZERO)).isTrue();
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Thread exchange(Exchanger<Thread> exchanger, Thread mine) {
        try {
            return exchanger.exchange(mine, 10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
