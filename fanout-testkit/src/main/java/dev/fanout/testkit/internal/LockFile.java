// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A lock between processes that the kernel lets go of when its holder dies. */
final class LockFile implements AutoCloseable {

    /** A piece of work that touches files. */
    interface Work<R> {
        R run() throws IOException;
    }

    /**
     * What this JVM holds. MUST be asked before a file is opened: POSIX lets go of all of a process's locks on a file when
     * it closes any descriptor of it, and a lock lost that way let other JVMs delete the directory of a running server.
     */
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;

    private LockFile(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Does the work while no other thread of any JVM does work under the same file. */
    @SuppressWarnings("try")
    static <R> R exclusively(Path file, Work<R> work) {
        // File locks are per JVM, not per thread: two threads would get an exception instead of waiting.
        synchronized (LockFile.class) {
            try (FileChannel channel = open(file);
                    FileLock held = channel.lock()) {
                return work.run();
            } catch (IOException e) {
                throw new UncheckedIOException("Could not work under the lock " + file, e);
            }
        }
    }

    /** Takes the lock until {@link #close()} or the end of this JVM; empty if someone else has it. */
    static Optional<LockFile> tryTake(Path file) throws IOException {
        if (!HELD_HERE.add(file)) {
            return Optional.empty();
        }
        FileChannel channel = open(file);
        if (channel.tryLock() != null) {
            return Optional.of(new LockFile(file, channel));
        }
        channel.close();
        HELD_HERE.remove(file);
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        HELD_HERE.remove(file);
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }
}
