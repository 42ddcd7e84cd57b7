// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import dev.fanout.testkit.internal.Launcher;
import dev.fanout.testkit.internal.LineProcess;
import dev.fanout.testkit.internal.Signal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Another JVM that runs a main class of the test's class path: for what can't be tried within one process, such as its
 * death.
 *
 * <p>The two talk by lines: the child prints, the test waits with {@link #awaitLine}; the test {@link #send sends},
 * the child reads standard input. Standard error is part of its output. The child ends at the latest when this JVM ends
 * in order, and on Linux however it ends. Safe for use by many threads.
 */
public final class ChildJvm implements AutoCloseable {

    private final String name;
    private final LineProcess process;
    private final Thread atExit = new Thread(this::kill, "fanout-testkit-exit");

    private ChildJvm(String name, LineProcess process) {
        this.name = name;
        this.process = process;
    }

    /**
     * A JVM to be configured before it starts.
     *
     * @param main a class with a {@code main} method
     * @return a builder
     */
    public static Builder running(Class<?> main) {
        return new Builder(main.getName());
    }

    /**
     * The child's process id.
     *
     * @return the process id
     */
    public long pid() {
        return process.pid();
    }

    /**
     * Whether it runs, standing still included.
     *
     * @return false once it has ended
     */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Waits for a line of output that contains a match, among those after the last line awaited.
     *
     * @param regex what to look for
     * @param limit how long to wait at most
     * @return the match, with its groups
     * @throws AssertionError with the child's output, if it ends or the limit passes without such a line
     */
    public MatchResult awaitLine(String regex, Duration limit) {
        return process.awaitLine(Pattern.compile(regex), limit)
                .orElseThrow(() -> failure("printed no line with '" + regex + "' within " + limit));
    }

    /**
     * Sends a line to the child's standard input.
     *
     * @param line the line, without its end
     */
    public void send(String line) {
        process.send(line);
    }

    /** Kills it with SIGKILL and waits for its end: no shutdown hook runs, no buffer is flushed. */
    public void kill() {
        process.kill();
    }

    /** Asks it to end, with SIGTERM: its shutdown hooks run. */
    public void terminate() {
        process.terminate();
    }

    /** Makes it stand still with its connections open, as a long garbage collection or a frozen machine does. */
    public void pause() {
        Signal.STOP.sendTo(pid());
    }

    /** Lets it go on. */
    public void resume() {
        Signal.CONT.sendTo(pid());
    }

    /**
     * Waits for its end.
     *
     * @param limit how long to wait at most
     * @return its exit code
     * @throws AssertionError with its output, if it still runs then
     */
    public int awaitExit(Duration limit) {
        return process.awaitExit(limit).orElseThrow(() -> failure("still runs after " + limit));
    }

    /**
     * What it has printed so far.
     *
     * @return standard output and error, as they came
     */
    public String output() {
        return process.output();
    }

    /** Kills it if it still runs. */
    @Override
    public void close() {
        kill();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException shuttingDown) {
            return;
        }
        process.awaitEndOfOutput();
    }

    @Override
    public String toString() {
        return name + " (pid " + pid() + ")";
    }

    private AssertionError failure(String what) {
        String state = process.isOutputComplete() ? " and has ended" : "";
        return new AssertionError(this + " " + what + state + ". Its output:\n" + output());
    }

    /** What a child JVM is like before it starts. Not safe for use by many threads. */
    public static final class Builder {

        private final String main;
        private final List<String> options = new ArrayList<>();
        private final List<String> arguments = new ArrayList<>();

        private Builder(String main) {
            this.main = main;
        }

        /**
         * Adds options of the JVM, such as {@code -Xmx128m}.
         *
         * @param more the options
         * @return this builder
         */
        public Builder options(String... more) {
            options.addAll(List.of(more));
            return this;
        }

        /**
         * Sets a system property.
         *
         * @param property its name
         * @param value its value
         * @return this builder
         */
        public Builder property(String property, String value) {
            options.add("-D" + Objects.requireNonNull(property, "property") + "=" + value);
            return this;
        }

        /**
         * Adds arguments of the main class.
         *
         * @param more the arguments
         * @return this builder
         */
        public Builder arguments(String... more) {
            arguments.addAll(List.of(more));
            return this;
        }

        /**
         * Starts the JVM; it need not have reached its main class when this returns.
         *
         * @return the JVM
         */
        public ChildJvm start() {
            ChildJvm child = new ChildJvm(main, LineProcess.start(command(), "fanout-testkit-child"));
            Runtime.getRuntime().addShutdownHook(child.atExit);
            return child;
        }

        private List<String> command() {
            List<String> command = new ArrayList<>(Launcher.tiedToParent());
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), "-Dfile.encoding=UTF-8"));
            command.addAll(options);
            command.add(main);
            command.addAll(arguments);
            return command;
        }
    }
}
