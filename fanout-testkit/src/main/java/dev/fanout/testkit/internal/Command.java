// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs short external programs to their end. */
public final class Command {

    private Command() {}

    /**
     * How a program ended.
     *
     * @param exitCode its exit code
     * @param output what it wrote to standard output and error
     */
    public record Result(int exitCode, String output) {}

    /**
     * Runs a program and waits for it; one that is still running after the limit is killed.
     *
     * @throws UncheckedIOException if the program can't be started
     */
    public static Result run(List<String> command, Map<String, String> environment, Duration limit) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            killAfter(limit, process);
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            return new Result(process.waitFor(), output);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for " + command, e);
        }
    }

    /** Whether the program can be started and ends with exit code 0. */
    static boolean succeeds(List<String> command) {
        try {
            return run(command, Map.of(), Duration.ofSeconds(10)).exitCode() == 0;
        } catch (UncheckedIOException notInstalled) {
            return false;
        }
    }

    private static void killAfter(Duration limit, Process process) {
        var unused = process.onExit()
                .orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((ended, late) -> {
                    if (late != null) {
                        process.destroyForcibly();
                    }
                });
    }
}
