// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarksTest {

    @Test
    void every_figure_can_be_measured_and_has_a_line_of_its_own(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("figures.txt");

        boolean complete = Benchmarks.run(Form.toy(), new Figures(System.out, file), Set.of("all"));

        assertThat(complete).isTrue();
        List<String> lines = Files.readAllLines(file);
        // at toy size a rate may be 0, and a ratio to it no number
        assertThat(lines).allMatch(line -> line.matches("[a-z0-9.]+ (-?[0-9]+(\\.[0-9]+)?|Infinity|NaN) \\S+"));
        assertThat(lines.stream().map(line -> line.substring(0, line.indexOf(' '))))
                .doesNotHaveDuplicates()
                .contains(
                        "append.ratio.1",
                        "append.ratio.8",
                        "append.ratio.32",
                        "latency.local.p50",
                        "latency.local.p99",
                        "latency.remote.p50",
                        "latency.remote.p99",
                        "latency.loop.p50",
                        "latency.loop.p99",
                        "drain.ratio",
                        "drain.flat",
                        "drain.snapshot",
                        "sustained.ratio",
                        "sustained.lag",
                        "idle.statements",
                        "children.100",
                        "fanout.cost",
                        "concurrency.ratio",
                        "isolation.p99",
                        "delay.idle");
    }
}
