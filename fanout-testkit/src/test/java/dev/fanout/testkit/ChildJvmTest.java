// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Scanner;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ChildJvmTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Test
    void lines_go_both_ways_in_order() {
        try (ChildJvm child = echo("first")) {
            assertThat(child.awaitLine("^ready (\\w+)$", LIMIT).group(1)).isEqualTo("first");
            child.send("one");
            child.send("two");
            assertThat(child.awaitLine("heard (.*)", LIMIT).group(1)).isEqualTo("one");
            assertThat(child.awaitLine("heard (.*)", LIMIT).group(1)).isEqualTo("two");
            assertThat(child.output()).isEqualTo("ready first\nheard one\nheard two");
        }
    }

    @Test
    void a_killed_child_runs_no_shutdown_hook() {
        try (ChildJvm child = echo("x")) {
            child.awaitLine("ready", LIMIT);
            child.kill();
            assertThat(child.isAlive()).isFalse();
            assertThat(child.awaitExit(LIMIT)).isEqualTo(128 + 9);
            assertThat(child.output()).doesNotContain("hook");
        }
    }

    @Test
    void a_terminated_child_runs_its_shutdown_hook() {
        try (ChildJvm child = echo("x")) {
            child.awaitLine("ready", LIMIT);
            child.terminate();
            child.awaitLine("hook", LIMIT);
            assertThat(child.awaitExit(LIMIT)).isEqualTo(128 + 15);
        }
    }

    @Test
    void a_paused_child_says_nothing_until_it_is_resumed() {
        try (ChildJvm child = echo("x")) {
            child.awaitLine("ready", LIMIT);
            child.pause();
            child.send("are you there");
            assertThatThrownBy(() -> child.awaitLine("heard", Duration.ofMillis(100)))
                    .isInstanceOf(AssertionError.class);
            child.resume();
            child.awaitLine("heard are you there", LIMIT);
        }
    }

    @Test
    void a_line_that_never_comes_is_reported_with_the_output_at_the_end_of_the_child() {
        try (ChildJvm child = echo("x")) {
            child.awaitLine("ready", LIMIT);
            child.send("exit 3");
            assertThatThrownBy(() -> child.awaitLine("never", LIMIT))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("has ended")
                    .hasMessageContaining("ready x");
            assertThat(child.awaitExit(LIMIT)).isEqualTo(3);
        }
    }

    @Test
    void options_and_properties_reach_the_child() {
        try (ChildJvm child = ChildJvm.running(Echo.class)
                .options("-Xmx32m")
                .property("greeting", "hello world")
                .arguments("x")
                .start()) {
            child.awaitLine("ready", LIMIT);
            child.send("property greeting");
            child.awaitLine("^hello world$", LIMIT);
        }
    }

    @Test
    void a_child_dies_with_its_killed_parent_even_if_it_stands_still() {
        try (ChildJvm parent = ChildJvm.running(Parent.class).start()) {
            long pid = Long.parseLong(parent.awaitLine("^child=(\\d+)$", LIMIT).group(1));
            assertThat(ProcessHandle.of(pid)).isPresent();
            parent.kill();
            Awaitility.await().until(() -> ProcessHandle.of(pid).isEmpty());
        }
    }

    private static ChildJvm echo(String word) {
        return ChildJvm.running(Echo.class).arguments(word).start();
    }

    /** Repeats what it hears. */
    static final class Echo {

        private Echo() {}

        public static void main(String[] arguments) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
            System.out.println("ready " + arguments[0]);
            try (Scanner input = new Scanner(System.in, UTF_8)) {
                while (input.hasNextLine()) {
                    answer(input.nextLine());
                }
            }
        }

        private static void answer(String line) {
            String[] words = line.split(" ", 2);
            switch (words[0]) {
                case "exit" -> System.exit(Integer.parseInt(words[1]));
                case "property" -> System.out.println(System.getProperty(words[1]));
                default -> System.out.println("heard " + line);
            }
        }
    }

    /** Has a child that stands still. */
    static final class Parent {

        private Parent() {}

        public static void main(String[] arguments) throws Exception {
            ChildJvm child = echo("grandchild");
            child.awaitLine("ready", LIMIT);
            child.pause();
            System.out.println("child=" + child.pid());
            System.out.println("read: " + System.in.read());
        }
    }
}
