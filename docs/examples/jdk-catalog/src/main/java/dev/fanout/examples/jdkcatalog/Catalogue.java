// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The classes of the running JDK, read from its own image. */
final class Catalogue {

    private static final String SUFFIX = ".class";

    private final List<Path> files;

    private Catalogue(List<Path> files) {
        this.files = files;
    }

    /** Finds the class files of the chosen modules; reads none of them yet. */
    static Catalogue find(Predicate<String> modules) throws IOException {
        Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        try (Stream<Path> all = Files.walk(root)) {
            return new Catalogue(all.filter(file -> isClass(file) && modules.test(module(file)))
                    .toList());
        }
    }

    int size() {
        return files.size();
    }

    /** Reads every class file, on all cores. */
    List<Asset> read(Progress progress) {
        return files.parallelStream()
                .map(Catalogue::asset)
                .peek(read -> progress.add(1))
                .toList();
    }

    private static boolean isClass(Path file) {
        String name = file.toString();
        return name.endsWith(SUFFIX) && !name.endsWith("/module-info.class") && !name.endsWith("/package-info.class");
    }

    private static Asset asset(Path file) {
        String binary = file.subpath(2, file.getNameCount()).toString().replace('/', '.');
        String type = binary.substring(0, binary.length() - SUFFIX.length());
        int dot = type.lastIndexOf('.');
        byte[] bytes = bytes(file);
        return new Asset(
                module(file) + "/" + type,
                module(file),
                type.substring(0, Math.max(dot, 0)),
                type.substring(dot + 1),
                ClassFile.kind(bytes),
                bytes.length);
    }

    private static String module(Path file) {
        return file.getName(1).toString();
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
