// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.testkit.TestDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Measures all figures on this machine and prints a line for each. */
public final class Benchmarks {

    private static final List<Figure> ALL = List.of(
            new AppendFigure(),
            new LatencyFigure(),
            new DrainFigure(),
            new SustainedFigure(),
            new IdleFigure(),
            new ManyChildrenFigure(),
            new ConcurrencyFigure(),
            new IsolationFigure(),
            new DelayFigure());

    private Benchmarks() {}

    /**
     * Runs the benchmarks.
     *
     * @param args the form (quick, full or toy), the file that the lines go to, and which groups to measure: {@code all},
     *     or names with commas between
     */
    public static void main(String[] args) {
        Set<String> groups = Set.of(args[2].split(","));
        boolean complete = run(Form.named(args[0]), new Figures(System.out, Path.of(args[1])), groups);
        System.exit(complete ? 0 : 1);
    }

    /** Measures; a group that fails says so and the others follow. */
    static boolean run(Form form, Figures figures, Set<String> groups) {
        boolean complete = true;
        long before = System.nanoTime();
        try (Bench bench = Bench.start(form, figures)) {
            describe(bench);
            for (Figure figure : ALL) {
                if (groups.contains("all") || groups.contains(figure.name())) {
                    complete &= measure(figure, bench);
                }
            }
        }
        figures.remark("took " + (System.nanoTime() - before) / 1_000_000_000 + " s");
        return complete;
    }

    private static boolean measure(Figure figure, Bench bench) {
        try {
            figure.measure(bench);
            return true;
        } catch (SQLException | RuntimeException | AssertionError e) {
            bench.figures().remark(figure.name() + " failed: " + e);
            e.printStackTrace();
            return false;
        }
    }

    private static void describe(Bench bench) {
        Figures figures = bench.figures();
        Runtime runtime = Runtime.getRuntime();
        figures.remark(runtime.availableProcessors() + " processors, " + (runtime.maxMemory() >> 20) + " MiB of heap, "
                + System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch") + ", Java " + Runtime.version());
        try (TestDatabase database = bench.server().createDatabase()) {
            figures.remark("PostgreSQL " + database.text("show server_version"));
            for (String setting : List.of(
                    "fsync",
                    "synchronous_commit",
                    "full_page_writes",
                    "shared_buffers",
                    "max_wal_size",
                    "autovacuum")) {
                figures.remark(setting + " = " + database.text("show " + setting));
            }
        }
    }
}
