// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import dev.fanout.testkit.internal.Launcher;
import dev.fanout.testkit.internal.PostgresBinaries;
import dev.fanout.testkit.internal.PostgresProcess;
import dev.fanout.testkit.internal.ScratchDirectory;
import dev.fanout.testkit.internal.Signal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL server of a test's own, from binaries that come as a Maven artifact: nothing is installed, and it runs
 * as root and as an ordinary user.
 *
 * <p>The postmaster is a child process of this JVM, so that {@link #kill()} is a real SIGKILL and, on Linux, the server
 * ends when this JVM does, however that ends. It listens on the loopback interface only, on a port of its own that it
 * keeps over {@link #restart()}.
 *
 * <p>Its methods may be called by any thread, one at a time.
 */
public final class EmbeddedPostgres implements PostgresServer {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgres.class);

    private final Launcher launcher;
    private final PostgresBinaries binaries;
    private final ScratchDirectory scratch;
    private final Map<String, String> settings;
    private final Thread atExit = new Thread(this::discard, "fanout-testkit-exit");
    private volatile int port;
    private volatile @Nullable PostgresProcess process;

    private EmbeddedPostgres(Launcher launcher, ScratchDirectory scratch, Map<String, String> settings) {
        this.launcher = launcher;
        this.binaries = PostgresBinaries.find(launcher);
        this.scratch = scratch;
        this.settings = settings;
    }

    /**
     * Starts a server that is quick and forgets everything in a crash.
     *
     * @return the server
     */
    public static EmbeddedPostgres start() {
        return builder().start();
    }

    /**
     * A server to be configured before it starts.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    @Override
    public String user() {
        return PostgresBinaries.USER;
    }

    @Override
    public String password() {
        return "";
    }

    @Override
    public String maintenanceDatabase() {
        return "postgres";
    }

    /**
     * The port that it listens on, the same for its whole life.
     *
     * @return the port
     */
    public int port() {
        return port;
    }

    /**
     * The postmaster's process id.
     *
     * @return the process id
     * @throws IllegalStateException if the server is stopped
     */
    public long pid() {
        return running().pid();
    }

    /**
     * Whether it runs, standing still included.
     *
     * @return false after {@link #kill()}, {@link #stop()} and {@link #close()}
     */
    public boolean isRunning() {
        PostgresProcess current = process;
        return current != null && current.isAlive();
    }

    /**
     * What the server said since its last start.
     *
     * @return the last lines of its log
     */
    public String log() {
        PostgresProcess current = process;
        return current == null ? "" : current.log();
    }

    /** Kills postmaster and backends with SIGKILL: what was not on disk, and not acknowledged, may be gone. */
    public void kill() {
        running().kill();
    }

    /** Stops it in order: connections are ended, transactions rolled back, everything is written to disk. */
    public void stop() {
        running().shutDown(Signal.INT);
    }

    /**
     * Starts it again on the same data and port, with crash recovery if it was killed; a running one is stopped first.
     *
     * @throws IllegalStateException with the server's log, if it does not start
     */
    public void restart() {
        if (isRunning()) {
            stop();
        }
        process = launch(port);
    }

    /** Makes the whole server stand still with its connections open, as a frozen machine does. */
    public void pause() {
        running().signalAll(Signal.STOP);
    }

    /** Lets a server that stands still go on. */
    public void resume() {
        running().signalAll(Signal.CONT);
    }

    /**
     * Makes one backend (or the postmaster) stand still with its connection open.
     *
     * @param pid the process id, {@code pg_backend_pid()} of the connection
     * @throws IllegalArgumentException if it is not a process of this server
     */
    public void pause(long pid) {
        signal(pid, Signal.STOP);
    }

    /**
     * Lets a backend (or the postmaster) that stands still go on.
     *
     * @param pid the process id
     * @throws IllegalArgumentException if it is not a process of this server
     */
    public void resume(long pid) {
        signal(pid, Signal.CONT);
    }

    /** Stops it without ceremony and deletes its data. Closing again does nothing. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException shuttingDown) {
            return;
        }
        discard();
    }

    @Override
    public String toString() {
        return "PostgreSQL embedded on port " + port;
    }

    private void open() {
        binaries.copyClusterTo(data());
        process = launchOnFreePort();
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    private void discard() {
        PostgresProcess current = process;
        if (current != null) {
            current.shutDown(Signal.QUIT);
        }
        scratch.close();
    }

    private PostgresProcess launchOnFreePort() {
        for (int attempt = 1; ; attempt++) {
            port = Ports.free();
            try {
                return launch(port);
            } catch (IllegalStateException e) {
                // Between finding the port and listening on it somebody else may have taken it.
                if (attempt == 5 || Ports.isFree(port)) {
                    throw e;
                }
            }
        }
    }

    private PostgresProcess launch(int onPort) {
        long begin = System.nanoTime();
        PostgresCommand command = new PostgresCommand(binaries.program("postgres"), data(), onPort, settings);
        PostgresProcess launched = PostgresProcess.start(
                launcher.launching(command.words()), PostgresBinaries.environment(), Duration.ofMinutes(1));
        try {
            Databases.requireDataDirectory(this, data());
        } catch (RuntimeException e) {
            launched.kill();
            throw e;
        }
        LOG.info("PostgreSQL started for tests: port={} pid={} millis={}", onPort, launched.pid(), millisSince(begin));
        return launched;
    }

    private static long millisSince(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin).toMillis();
    }

    private void signal(long pid, Signal signal) {
        if (!running().owns(pid)) {
            throw new IllegalArgumentException("Process " + pid + " is not one of " + this);
        }
        signal.sendTo(pid);
    }

    private PostgresProcess running() {
        PostgresProcess current = process;
        if (current == null || !current.isAlive()) {
            throw new IllegalStateException(this + " is not running; restart() starts it again.");
        }
        return current;
    }

    private Path data() {
        return scratch.path().resolve("data");
    }

    /** What a server is like before it starts. Not safe for use by many threads. */
    public static final class Builder {

        private final Map<String, String> settings = new LinkedHashMap<>(Map.of("max_connections", "200"));
        private Durability durability = Durability.NONE;
        private @Nullable Path directory;

        private Builder() {}

        /**
         * Makes it write to disk before it acknowledges, as production does; its data then lie in the user's cache
         * directory, since the temporary one may be memory. By default it does not.
         *
         * @return this builder
         */
        public Builder durable() {
            return durability(Durability.FULL);
        }

        /**
         * Sets one of PostgreSQL's settings, over any that this class would choose.
         *
         * @param name the setting's name, such as {@code wal_level}
         * @param value its value
         * @return this builder
         */
        public Builder set(String name, String value) {
            settings.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
            return this;
        }

        /**
         * Chooses where its data directory is made.
         *
         * @param parent a directory, created if it is missing
         * @return this builder
         */
        public Builder in(Path parent) {
            directory = Objects.requireNonNull(parent, "parent");
            return this;
        }

        /**
         * Starts the server.
         *
         * @return the server, ready for connections
         * @throws IllegalStateException with the server's log, if it does not start
         */
        public EmbeddedPostgres start() {
            Launcher launcher = Launcher.forPostgres();
            ScratchDirectory scratch = scratch(launcher);
            try {
                EmbeddedPostgres server = new EmbeddedPostgres(launcher, scratch, allSettings());
                server.open();
                return server;
            } catch (RuntimeException e) {
                scratch.close();
                throw e;
            }
        }

        Builder durability(Durability chosen) {
            durability = chosen;
            return this;
        }

        private Map<String, String> allSettings() {
            Map<String, String> all = new LinkedHashMap<>(durability.settings());
            all.putAll(settings);
            return all;
        }

        private ScratchDirectory scratch(Launcher launcher) {
            if (directory != null) {
                return ScratchDirectory.in(directory);
            }
            return durability == Durability.FULL
                    ? ScratchDirectory.onDisk(launcher)
                    : ScratchDirectory.temporary(launcher);
        }
    }
}
