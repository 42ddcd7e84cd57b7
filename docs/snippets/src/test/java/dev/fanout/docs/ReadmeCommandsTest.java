// SPDX-License-Identifier: Apache-2.0
package dev.fanout.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A newcomer copies the first block under a heading and nothing else. */
class ReadmeCommandsTest {

    private static final Path ROOT = Path.of("..", "..");

    @Test
    void run_opens_with_one_command() throws IOException {
        assertThat(firstBlockUnder("## Run")).hasSize(1);
    }

    @Test
    void test_opens_with_one_command() throws IOException {
        assertThat(firstBlockUnder("## Test")).hasSize(1);
    }

    @Test
    void continuous_integration_runs_the_test_command() throws IOException {
        assertThat(Files.readString(ROOT.resolve(".ci/run")))
                .contains(firstBlockUnder("## Test").get(0));
    }

    private static List<String> firstBlockUnder(String heading) throws IOException {
        return Files.readAllLines(ROOT.resolve("README.md")).stream()
                .dropWhile(line -> !line.equals(heading))
                .skip(1)
                .dropWhile(line -> !line.startsWith("```"))
                .skip(1)
                .takeWhile(line -> !line.startsWith("```"))
                .toList();
    }
}
