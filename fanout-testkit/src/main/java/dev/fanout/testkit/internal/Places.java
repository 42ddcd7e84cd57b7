// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import java.util.Set;

/** Where the testkit keeps files: a cache per user that stays, and a place per user for what a test leaves behind. */
final class Places {

    private static final String NAME = "fanout-testkit";

    private Places() {}

    /** The cache of unpacked binaries; also where durable servers live, since a temporary directory may be memory. */
    static Path cache(Launcher launcher) {
        if (launcher.asNobody()) {
            return temporary(launcher);
        }
        return Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .filter(home -> !home.isBlank())
                .map(Path::of)
                .or(() -> Optional.of(Path.of(System.getProperty("user.home"), ".cache")))
                .flatMap(Places::writable)
                .orElseGet(() -> temporary(launcher));
    }

    /** The place under the system's temporary directory. */
    static Path temporary(Launcher launcher) {
        // Of its own where another user must get in: an existing one may be closed to them.
        String name = NAME + "-" + System.getProperty("user.name") + (launcher.asNobody() ? "-nobody" : "");
        Path path = Path.of(System.getProperty("java.io.tmpdir"), name);
        try {
            createDirectory(path, launcher.asNobody() ? "rwxr-xr-x" : "rwx------");
            refuseIfForeign(path);
            return path.toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not create " + path, e);
        }
    }

    private static Optional<Path> writable(Path parent) {
        try {
            Path path = parent.resolve(NAME);
            Files.createDirectories(path);
            return Files.isWritable(path) ? Optional.of(path.toRealPath()) : Optional.empty();
        } catch (IOException noHome) {
            return Optional.empty();
        }
    }

    private static void createDirectory(Path path, String permissions) throws IOException {
        Set<PosixFilePermission> wanted = PosixFilePermissions.fromString(permissions);
        FileAttribute<Set<PosixFilePermission>> attribute = PosixFilePermissions.asFileAttribute(wanted);
        if (!Files.isDirectory(path)) {
            Files.createDirectories(path, attribute);
        }
    }

    // MUST refuse: whoever made the directory first could plant programs that we would then run.
    private static void refuseIfForeign(Path path) throws IOException {
        Path probe = Files.createTempFile(path, "owner", null);
        UserPrincipal me = Files.getOwner(probe);
        Files.delete(probe);
        if (!me.equals(Files.getOwner(path))) {
            throw new IllegalStateException(
                    path + " belongs to " + Files.getOwner(path) + ", not to " + me + ". Remove it.");
        }
    }
}
