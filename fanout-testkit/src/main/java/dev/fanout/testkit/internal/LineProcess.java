// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A child process that is read and written by lines.
 *
 * <p>The thread that starts it reads its output to the end, so that it lives as long as the child: a parent's death
 * signal is tied to the starting thread.
 */
public final class LineProcess {

    private final CompletableFuture<Process> started = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<String> lines = new ArrayList<>();
    private final Thread reader;
    private int awaited;
    private boolean complete;

    private LineProcess(List<String> command, String threadName) {
        reader = new Thread(() -> run(command), threadName);
    }

    /** Starts the program. */
    public static LineProcess start(List<String> command, String threadName) {
        LineProcess process = new LineProcess(command, threadName);
        process.reader.setDaemon(true);
        process.reader.start();
        process.started.join();
        return process;
    }

    /** The process id. */
    public long pid() {
        return process().pid();
    }

    /** Whether it runs. */
    public boolean isAlive() {
        return process().isAlive();
    }

    /** Waits for a line after the last one that was awaited; empty if the output or the time ends before. */
    public Optional<MatchResult> awaitLine(Pattern pattern, Duration limit) {
        lock.lock();
        try {
            long nanos = limit.toNanos();
            Optional<MatchResult> found = findNext(pattern);
            while (found.isEmpty() && !complete && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
                found = findNext(pattern);
            }
            return found;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Writes a line to its standard input. */
    public void send(String line) {
        try {
            OutputStream input = process().getOutputStream();
            input.write((line + "\n").getBytes(UTF_8));
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("Process " + pid() + " does not read any more", e);
        }
    }

    /** Sends SIGKILL and waits for the end. */
    public void kill() {
        // Not Process.destroy..: that closes the streams, and with them what the child said last is lost.
        process().toHandle().destroyForcibly();
        process().onExit().join();
    }

    /** Sends SIGTERM. */
    public void terminate() {
        process().toHandle().destroy();
    }

    /** Its exit code, if it ends in time. */
    public Optional<Integer> awaitExit(Duration limit) {
        try {
            boolean ended = process().waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
            return ended ? Optional.of(process().exitValue()) : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Whether it has closed its output, as a process that ends does. */
    public boolean isOutputComplete() {
        lock.lock();
        try {
            return complete;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until everything that it wrote has been read. */
    public void awaitEndOfOutput() {
        try {
            reader.join(Duration.ofSeconds(10).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** All lines so far. */
    public String output() {
        lock.lock();
        try {
            return String.join("\n", lines);
        } finally {
            lock.unlock();
        }
    }

    private void run(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            started.complete(process);
            try (BufferedReader output = process.inputReader(UTF_8)) {
                output.lines().forEach(this::hear);
            }
        } catch (IOException e) {
            started.completeExceptionally(new UncheckedIOException("Could not start " + command, e));
        } catch (UncheckedIOException brokenPipe) {
            hear("(output broke off: " + brokenPipe.getMessage() + ")");
        } finally {
            end();
        }
    }

    private void hear(String line) {
        lock.lock();
        try {
            lines.add(line);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lock.lock();
        try {
            complete = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private Optional<MatchResult> findNext(Pattern pattern) {
        for (int i = awaited; i < lines.size(); i++) {
            Matcher matcher = pattern.matcher(lines.get(i));
            if (matcher.find()) {
                awaited = i + 1;
                return Optional.of(matcher.toMatchResult());
            }
        }
        return Optional.empty();
    }

    private Process process() {
        return started.join();
    }
}
