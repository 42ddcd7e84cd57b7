// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.testkit.ChildJvm;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Scar 13: a pooled connection was used for listening, reported as a leak and recycled. */
@FanoutTest
class QuietPoolTest {

    /** Longer than the leak detection's two seconds; the profile {@code torture} outlives the pool's connections too. */
    private static final long SECONDS = Long.getLong("fanout.quiet.seconds", 5);

    @Test
    void a_small_pool_with_leak_detection_and_short_lives_and_autocommit_off_has_nothing_to_say(TestDatabase database) {
        try (ChildJvm host = ChildJvm.running(PoolProcess.class)
                .options("-Xmx96m")
                .arguments(database.jdbcUrl(), database.user(), Long.toString(SECONDS))
                .start()) {
            host.awaitLine("delivered", Duration.ofSeconds(60 + SECONDS));
            assertThat(host.awaitExit(Duration.ofSeconds(30))).isZero();
            assertThat(host.output()).doesNotContain("WARN", "ERROR", "leak");
        }
    }
}
