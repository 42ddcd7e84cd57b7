// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.fanout.testkit.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresBinariesTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Test
    void jvms_that_unpack_at_the_same_time_share_one_result(@TempDir Path home) throws Exception {
        List<ChildJvm> jvms =
                Stream.generate(() -> unpackingInto(home)).limit(2).toList();
        for (ChildJvm jvm : jvms) {
            jvm.awaitLine("^program " + home.toRealPath() + ".* works=true$", LIMIT);
            assertThat(jvm.awaitExit(LIMIT)).isZero();
            jvm.close();
        }
        try (Stream<Path> entries = Files.list(home.resolve(".cache/fanout-testkit"))) {
            assertThat(entries.filter(Files::isDirectory)).hasSize(1);
        }
    }

    @Test
    void root_without_user_namespaces_runs_it_as_nobody() throws Exception {
        assumeThat(Launcher.isLinux() && Launcher.isRoot()).isTrue();
        Launcher launcher = Launcher.NOBODY_TIED;
        try (ScratchDirectory scratch = ScratchDirectory.temporary(launcher)) {
            PostgresBinaries binaries = PostgresBinaries.find(launcher);
            Path data = scratch.path().resolve("data");
            binaries.copyClusterTo(data);
            PostgresProcess process = PostgresProcess.start(
                    launcher.launching(List.of(
                            binaries.program("postgres").toString(),
                            "-D",
                            data.toString(),
                            "-k",
                            "",
                            "-h",
                            "",
                            "-k",
                            data.toString())),
                    PostgresBinaries.environment(),
                    LIMIT);
            assertThat(Files.getAttribute(Path.of("/proc/" + process.pid()), "unix:uid"))
                    .isEqualTo(65534);
            process.shutDown(Signal.QUIT);
            assertThat(process.isAlive()).isFalse();
        }
    }

    private static ChildJvm unpackingInto(Path home) {
        return ChildJvm.running(Unpack.class)
                .property("user.home", home.toString())
                .start();
    }

    /** Unpacks and tries one of the programs. */
    static final class Unpack {

        private Unpack() {}

        public static void main(String[] arguments) {
            Launcher launcher = Launcher.forPostgres();
            Path postgres = PostgresBinaries.find(launcher).program("postgres");
            boolean works = Command.succeeds(launcher.launching(List.of(postgres.toString(), "--version")));
            System.out.println("program " + postgres + " works=" + works);
        }
    }
}
