// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What stands before a program so that it runs here at all and dies with its parent.
 *
 * <p>PostgreSQL refuses to run as root. Root therefore enters a user namespace in which it is nobody ({@code unshare
 * -U}; files keep their owner) or, where a container forbids that, becomes nobody for real, which needs the files to
 * be handed over. {@code setpriv --pdeathsig} asks the kernel to signal the program when its parent goes, however it
 * goes. All of these replace themselves by the program: the process that Java sees is the program itself.
 *
 * @param prefix the words before the program
 * @param asNobody whether the program runs as another user, who must own what it writes
 */
public record Launcher(List<String> prefix, boolean asNobody) {

    private static final int NOBODY = 65534;
    private static final Launcher PLAIN = new Launcher(List.of(), false);
    private static final Launcher TIED = new Launcher(pdeathsig("INT"), false);
    private static final Launcher UNSHARED = new Launcher(List.of("unshare", "-U"), false);
    private static final Launcher UNSHARED_TIED = new Launcher(join(UNSHARED.prefix, TIED.prefix), false);

    /** Root turned into nobody for real: for containers that forbid user namespaces. */
    static final Launcher NOBODY_TIED = new Launcher(
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--pdeathsig", "INT"), true);

    /** Copies the words. */
    public Launcher {
        prefix = List.copyOf(prefix);
    }

    /**
     * The launcher for PostgreSQL that works here.
     *
     * @throws IllegalStateException if this is root and nothing that would make it an ordinary user is allowed
     */
    public static Launcher forPostgres() {
        if (!isLinux()) {
            return PLAIN;
        }
        List<Launcher> candidates = isRoot() ? List.of(UNSHARED_TIED, UNSHARED, NOBODY_TIED) : List.of(TIED, PLAIN);
        return candidates.stream().filter(Launcher::works).findFirst().orElseThrow(Launcher::rootIsStuck);
    }

    /** The words that make a child JVM end when its parent does, however that ends; none where that can't be had. */
    public static List<String> tiedToParent() {
        List<String> words = pdeathsig("KILL");
        return isLinux() && new Launcher(words, false).works() ? words : List.of();
    }

    /** The whole command line of a program. */
    public List<String> launching(List<String> command) {
        return join(prefix, command);
    }

    /** Makes the user that the program runs as the owner of everything at and under the path. */
    public void handOver(Path path) {
        if (!asNobody) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.setAttribute(file, "unix:uid", NOBODY);
                Files.setAttribute(file, "unix:gid", NOBODY);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not hand " + path + " over to the user of PostgreSQL", e);
        }
    }

    static boolean isLinux() {
        return System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux");
    }

    static boolean isRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private boolean works() {
        return prefix.isEmpty() || Command.succeeds(launching(List.of("true")));
    }

    private static List<String> pdeathsig(String signal) {
        return List.of("setpriv", "--pdeathsig", signal);
    }

    private static List<String> join(List<String> first, List<String> second) {
        List<String> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    private static IllegalStateException rootIsStuck() {
        return new IllegalStateException(
                "PostgreSQL refuses to run as root, and neither 'unshare -U' nor 'setpriv --reuid'"
                        + " works here. Run the tests as an ordinary user, install util-linux, or point"
                        + " -Dfanout.test.jdbcUrl at a server.");
    }
}
