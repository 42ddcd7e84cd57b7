// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * A directory of its own, gone at the latest with the next one after this JVM has ended.
 *
 * <p>A JVM that is killed can't clean up. Each directory therefore has a lock file beside it, held for as long as the
 * directory is used; whoever makes a new one deletes those whose lock can be taken.
 */
public final class ScratchDirectory implements AutoCloseable {

    private final Path path;
    private final LockFile lock;

    private ScratchDirectory(Path path, LockFile lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Makes a directory in the system's temporary directory. */
    public static ScratchDirectory temporary(Launcher launcher) {
        return in(Places.temporary(launcher));
    }

    /** Makes a directory beside the user's cache, which is on a disk where the temporary one may be memory. */
    public static ScratchDirectory onDisk(Launcher launcher) {
        return in(Places.cache(launcher));
    }

    /** Makes a directory in the parent, which is created if it is missing. */
    public static ScratchDirectory in(Path parent) {
        try {
            Path base = Files.createDirectories(parent.resolve("servers")).toRealPath();
            // Making and sweeping exclude each other: a lock file between its creation and its lock looks abandoned.
            return LockFile.exclusively(base.resolve(".sweeping"), () -> {
                sweep(base);
                return create(base);
            });
        } catch (IOException e) {
            throw new UncheckedIOException("Could not make a directory in " + parent, e);
        }
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    @Override
    public void close() {
        try {
            FileTrees.delete(path);
            lock.close();
            Files.deleteIfExists(lockOf(path));
        } catch (IOException e) {
            throw new UncheckedIOException("Could not delete " + path, e);
        }
    }

    private static ScratchDirectory create(Path base) throws IOException {
        Path path = base.resolve("server-" + UUID.randomUUID());
        LockFile lock = LockFile.tryTake(lockOf(path)).orElseThrow();
        return new ScratchDirectory(Files.createDirectory(path), lock);
    }

    private static void sweep(Path base) throws IOException {
        try (DirectoryStream<Path> locks = Files.newDirectoryStream(base, "*.lock")) {
            for (Path file : locks) {
                Optional<LockFile> abandoned = LockFile.tryTake(file);
                if (abandoned.isPresent()) {
                    FileTrees.delete(directoryOf(file));
                    Files.deleteIfExists(file);
                    abandoned.get().close();
                }
            }
        }
    }

    private static Path lockOf(Path directory) {
        return directory.resolveSibling(directory.getFileName() + ".lock");
    }

    private static Path directoryOf(Path lock) {
        String name = String.valueOf(lock.getFileName());
        return lock.resolveSibling(name.substring(0, name.length() - ".lock".length()));
    }
}
