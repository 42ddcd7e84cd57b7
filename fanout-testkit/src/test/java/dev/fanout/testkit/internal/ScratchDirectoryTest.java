// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.testkit.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchDirectoryTest {

    @TempDir
    private Path parent;

    /** Makes a directory, which sweeps, and says so. */
    static final class Sweeper {
        public static void main(String[] arguments) {
            ScratchDirectory.in(Path.of(arguments[0])).close();
            System.out.println("swept");
        }
    }

    @Test
    void a_directory_in_use_outlives_the_sweeps_of_its_own_jvm_and_of_others() {
        try (ScratchDirectory used = ScratchDirectory.in(parent)) {
            ScratchDirectory.in(parent).close();
            try (ChildJvm other =
                    ChildJvm.running(Sweeper.class).arguments(parent.toString()).start()) {
                other.awaitLine("swept", Duration.ofSeconds(60));
            }
            assertThat(used.path()).exists();
        }
    }

    @Test
    void a_directory_is_gone_when_it_is_closed() {
        ScratchDirectory used = ScratchDirectory.in(parent);
        used.close();
        assertThat(Files.exists(used.path())).isFalse();
    }
}
