// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * One running postmaster, a child process of this JVM.
 *
 * <p>Its log is read by the thread that started it. That thread lives until the last writer of the log is gone, and it
 * MUST: the kernel sends the parent's death signal when the starting <em>thread</em> ends, not the JVM. Readiness is
 * read from the log and not asked for by connecting, since a connection may be answered by someone else's server.
 */
public final class PostgresProcess {

    private static final int LINES_KEPT = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final CompletableFuture<Process> started = new CompletableFuture<>();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Deque<String> log = new ArrayDeque<>();

    private PostgresProcess() {}

    /**
     * Starts a postmaster and waits until it accepts connections.
     *
     * @throws IllegalStateException with the server's log, if it ends instead or takes longer than the limit
     */
    public static PostgresProcess start(List<String> command, Map<String, String> environment, Duration limit) {
        PostgresProcess process = new PostgresProcess();
        Thread thread = new Thread(() -> process.run(command, environment), "fanout-testkit-postgres");
        thread.setDaemon(true);
        thread.start();
        process.awaitReady(command, limit);
        return process;
    }

    /** The postmaster's process id. */
    public long pid() {
        return process().pid();
    }

    /** Whether it runs. */
    public boolean isAlive() {
        return process().isAlive();
    }

    /** Whether a process is one of the server's: the postmaster or a child of it. */
    public boolean owns(long pid) {
        return members().anyMatch(member -> member.pid() == pid);
    }

    /** Kills postmaster and children with SIGKILL, as the end of a machine or a container does. */
    public void kill() {
        // Children first listed, then killed: orphans would hold the shared memory, and a restart be refused.
        List<ProcessHandle> children = process().children().toList();
        process().toHandle().destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        awaitEnd();
    }

    /** Ends the server in order with a signal that means shutdown; kills it if it does not. */
    public void shutDown(Signal signal) {
        if (!isAlive()) {
            return;
        }
        signalAll(Signal.CONT);
        signal.sendTo(pid());
        try {
            awaitEnd();
        } catch (CompletionException stubborn) {
            kill();
        }
    }

    /** Sends a signal to the postmaster and every child. */
    public void signalAll(Signal signal) {
        members().forEach(member -> signalIfAlive(member, signal));
    }

    /** Backends come and go: one that has ended since it was listed needs no signal. */
    private static void signalIfAlive(ProcessHandle member, Signal signal) {
        try {
            signal.sendTo(member.pid());
        } catch (IllegalStateException notSent) {
            if (member.isAlive()) {
                throw notSent;
            }
        }
    }

    /** The last lines of the server's log. */
    public String log() {
        synchronized (log) {
            return String.join("\n", log);
        }
    }

    private void run(List<String> command, Map<String, String> environment) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(environment);
            Process process = builder.start();
            started.complete(process);
            try (BufferedReader lines = process.inputReader()) {
                lines.lines().forEach(this::hear);
            }
            ready.completeExceptionally(new IOException("It ended with exit code " + process.waitFor()));
        } catch (IOException | RuntimeException | InterruptedException e) {
            started.completeExceptionally(e);
            ready.completeExceptionally(e);
        } finally {
            ended.complete(null);
        }
    }

    private void hear(String line) {
        synchronized (log) {
            log.addLast(line);
            if (log.size() > LINES_KEPT) {
                log.removeFirst();
            }
        }
        if (line.contains("ready to accept")) {
            ready.complete(null);
        }
    }

    private void awaitReady(List<String> command, Duration limit) {
        try {
            ready.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(failure(command, String.valueOf(e.getCause())), e.getCause());
        } catch (TimeoutException e) {
            kill();
            throw new IllegalStateException(failure(command, "It was not ready after " + limit), e);
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
            throw new IllegalStateException(failure(command, "Interrupted"), e);
        }
    }

    private String failure(List<String> command, String why) {
        return "PostgreSQL did not start: " + why + "\ncommand: " + String.join(" ", command) + "\nlog:\n" + log();
    }

    private Stream<ProcessHandle> members() {
        return Stream.concat(Stream.of(process().toHandle()), process().children());
    }

    private Process process() {
        return started.join();
    }

    // The end of the log is the end of the last process that could write it, orphans included.
    private void awaitEnd() {
        ended.copy().orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS).join();
    }
}
