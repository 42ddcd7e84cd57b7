// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Outcome;
import dev.fanout.internal.TestPlatform;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {

    @Test
    void pauses_double_up_to_the_longest_and_are_shortened_by_up_to_a_half() {
        Backoff backoff = new Backoff(new TestPlatform(), Duration.ofSeconds(1), Duration.ofSeconds(60));
        for (int failures = 1; failures < 100; failures++) {
            long full = failures > 6 ? 60 : 1L << (failures - 1);
            assertThat(backoff.pause(failures))
                    .isGreaterThan(Duration.ofSeconds(full).dividedBy(2).minusNanos(1))
                    .isLessThanOrEqualTo(Duration.ofSeconds(full));
        }
    }

    @Test
    void pauses_of_two_nodes_differ() {
        TestPlatform random = new TestPlatform();

        assertThat(new Backoff(random, Duration.ofSeconds(1), Duration.ofSeconds(60)).pause(1))
                .isNotEqualTo(new Backoff(random, Duration.ofSeconds(1), Duration.ofSeconds(60)).pause(1));
    }

    @Test
    void a_first_pause_of_days_does_not_overflow() {
        Backoff backoff = new Backoff(new TestPlatform(), Duration.ofDays(2), Duration.ofDays(365));

        assertThat(backoff.pause(1_000)).isBetween(Duration.ofDays(182), Duration.ofDays(365));
    }

    @Test
    void a_pause_longer_than_time_can_be_counted_means_for_a_signal() {
        Outcome.Retry never = (Outcome.Retry) Outcome.retry(Duration.ofSeconds(Long.MAX_VALUE));

        assertThat(Next.after(never.after()).onSignalOnly()).isTrue();
    }
}
