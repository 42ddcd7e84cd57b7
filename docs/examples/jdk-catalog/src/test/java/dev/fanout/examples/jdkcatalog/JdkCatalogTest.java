// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example on two modules of the JDK, all but the second JVM. */
@FanoutTest
class JdkCatalogTest {

    private static final Tour.Scale SMALL =
            new Tour.Scale(Set.of("java.logging", "java.sql")::contains, 20, Duration.ofMillis(2), 5, 5, 0, 20);

    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

    @Test
    void every_claim_of_the_example_holds(TestDatabase database, @TempDir Path directory) throws Exception {
        Report report = new Report(new PrintStream(shown, true, StandardCharsets.UTF_8));

        new Tour(database.pool(16), directory.resolve("index"), report, SMALL).runAlone();

        assertThat(report.holds()).as(shown.toString(StandardCharsets.UTF_8)).isTrue();
    }

    @Test
    void a_claim_that_does_not_hold_is_listed() {
        Report report = new Report(new PrintStream(shown, true, StandardCharsets.UTF_8));

        report.claim("rows", 1L, 2L);
        report.end(Duration.ZERO);

        assertThat(report.holds()).isFalse();
        assertThat(shown.toString(StandardCharsets.UTF_8)).contains("1 of 1 claims FAILED", "rows: 2 instead of 1");
    }
}
