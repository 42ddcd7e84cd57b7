// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.FanoutListener;
import dev.fanout.StoreUnavailableException;
import dev.fanout.internal.TestPlatform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutagesTest {

    private final List<String> heard = new ArrayList<>();
    private final Outages outages = new Outages(
            new Backoff(new TestPlatform(), Duration.ofMillis(200), Duration.ofSeconds(5)), new FanoutListener() {
                @Override
                public void storeUnavailable(Throwable cause) {
                    heard.add("unavailable");
                }

                @Override
                public void storeAvailable() {
                    heard.add("available");
                }
            });

    @Test
    void an_outage_is_told_once_however_many_workers_meet_it_however_often() {
        for (int attempt = 0; attempt < 5; attempt++) {
            outages.failed("lane/0", down());
            outages.failed("child/a/0", down());
        }
        outages.succeeded("lane/0");
        outages.succeeded("child/a/0");

        assertThat(heard).containsExactly("unavailable", "available");
    }

    @Test
    void a_worker_that_never_failed_does_not_end_an_outage() {
        outages.failed("lane/0", down());
        outages.succeeded("child/a/0");

        assertThat(heard).containsExactly("unavailable");
    }

    @Test
    void an_outage_is_over_only_when_every_worker_that_met_it_has_succeeded() {
        outages.failed("lane/0", down());
        outages.failed("child/a/0", down());
        outages.succeeded("lane/0");
        outages.failed("child/a/0", down());
        assertThat(heard).containsExactly("unavailable");
        outages.succeeded("child/a/0");

        assertThat(heard).containsExactly("unavailable", "available");
    }

    @Test
    void a_worker_that_has_ended_is_waited_for_no_longer_and_its_end_is_no_news_of_the_store() {
        outages.failed("lane/0", down());
        outages.failed("child/a/0", down());
        outages.succeeded("lane/0");
        outages.ended("child/a/0");
        assertThat(heard).containsExactly("unavailable");
        outages.succeeded("lane/0");

        assertThat(heard).containsExactly("unavailable", "available");
    }

    @Test
    void a_worker_that_fails_otherwise_meanwhile_does_not_keep_the_outage_up() {
        outages.failed("lane/0", down());
        outages.failed("child/a/0", down());
        outages.failed("child/a/0", new IllegalStateException("a bug"));
        outages.succeeded("lane/0");

        assertThat(heard).containsExactly("unavailable", "available");
    }

    @Test
    void the_next_outage_is_told_again() {
        for (int outage = 0; outage < 2; outage++) {
            outages.failed("lane/0", down());
            outages.succeeded("lane/0");
        }

        assertThat(heard).containsExactly("unavailable", "available", "unavailable", "available");
    }

    @Test
    void another_failure_is_not_an_outage_of_the_store() {
        outages.failed("lane/0", new IllegalStateException("a bug"));
        outages.succeeded("lane/0");

        assertThat(heard).isEmpty();
    }

    @Test
    void each_worker_pauses_longer_and_longer_and_begins_anew_after_a_success() {
        for (int failure = 0; failure < 10; failure++) {
            outages.failed("lane/0", down());
        }
        assertThat(outages.failed("lane/0", down())).isGreaterThan(Duration.ofSeconds(2));
        assertThat(outages.failed("child/a/0", down())).isLessThanOrEqualTo(Duration.ofMillis(200));
        outages.succeeded("lane/0");
        assertThat(outages.failed("lane/0", down())).isLessThanOrEqualTo(Duration.ofMillis(200));
    }

    private static StoreUnavailableException down() {
        return new StoreUnavailableException("down", null);
    }
}
