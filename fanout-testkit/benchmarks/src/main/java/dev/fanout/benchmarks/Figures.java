// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures of a run, one line each: {@code name value unit}. */
final class Figures {

    private final PrintStream out;
    private final Path file;
    private final List<String> lines = new ArrayList<>();

    Figures(PrintStream out, Path file) {
        this.out = out;
        this.file = file;
    }

    /** Prints a figure and writes the file anew, so that a run that is broken off leaves what it had. */
    void add(String name, double value, String unit) {
        String line = name + " " + text(value) + " " + unit;
        out.println(line);
        out.flush();
        lines.add(line);
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, lines);
        } catch (IOException e) {
            throw new IllegalStateException("The figures can't be written to " + file, e);
        }
    }

    /** Prints something that is no figure. */
    void remark(String text) {
        out.println("# " + text);
        out.flush();
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%.0f" : "%.3f", value);
    }
}
