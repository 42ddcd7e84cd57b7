// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** Unpacks a {@code .tar.xz}. */
final class TarXz {

    private static final int EXECUTABLE = 0b001_000_000;

    private TarXz() {}

    /** Unpacks all entries below a directory; an entry that points outside of it is refused. */
    static void unpack(InputStream packed, Path directory) throws IOException {
        TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(packed)));
        for (Optional<TarArchiveEntry> next = next(tar); next.isPresent(); next = next(tar)) {
            unpack(next.get(), tar, inside(directory, next.get().getName()));
        }
    }

    private static void unpack(TarArchiveEntry entry, InputStream content, Path target) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(target.resolveSibling("."));
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else {
            Files.copy(content, target);
            setExecutable(target, (entry.getMode() & EXECUTABLE) != 0);
        }
    }

    private static void setExecutable(Path target, boolean executable) throws IOException {
        if (executable && !target.toFile().setExecutable(true, false)) {
            throw new IOException("Could not make " + target + " executable");
        }
    }

    private static Path inside(Path directory, String name) throws IOException {
        Path target = directory.resolve(name).normalize();
        if (!target.startsWith(directory)) {
            throw new IOException("The archive's entry " + name + " points outside of " + directory);
        }
        return target;
    }

    private static Optional<TarArchiveEntry> next(TarArchiveInputStream tar) throws IOException {
        return Optional.ofNullable(tar.getNextEntry());
    }
}
