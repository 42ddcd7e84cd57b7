// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.ChildSpec;
import dev.fanout.Outcome;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * What a hundred children cost beside one: how often the log is read while they catch up with it and then take what comes,
 * and the time per event and child of what comes.
 */
final class ManyChildrenFigure implements Figure {

    private record Result(double reads, double micros) {}

    @Override
    public String name() {
        return "children";
    }

    @Override
    public void measure(Bench bench) throws SQLException {
        Form.Children form = bench.form().children();
        List<Double> reads = new ArrayList<>();
        List<Double> costs = new ArrayList<>();
        List<Double> micros = new ArrayList<>();
        for (int round = 0; round < form.rounds(); round++) {
            Result one = run(bench, 1);
            Result many = run(bench, form.many());
            reads.add(many.reads / one.reads);
            costs.add(many.micros / one.micros);
            micros.add(many.micros);
            bench.figures()
                    .remark("log reads: 1 child " + one.reads + ", " + form.many() + " children " + many.reads
                            + "; microseconds per event and child: " + one.micros + ", " + many.micros);
        }
        bench.figures().add("children.100", Statistics.median(reads), "x");
        bench.figures().add("fanout.cost", Statistics.median(costs), "x");
        bench.figures().add("fanout.cost.each", Statistics.median(micros), "us");
    }

    private static Result run(Bench bench, int children) throws SQLException {
        int events = bench.form().children().events();
        try (TestDatabase database = bench.server().createDatabase()) {
            Family.publish(database, events);
            try (Family family = Family.start(database, named(children))) {
                Bench.await("children that catch up", () -> family.delivered() >= (long) events * children);
                long before = family.burst(events);
                Bench.await("all children", () -> family.delivered() >= 2L * events * children);
                double micros = (System.nanoTime() - before) / 1e3;
                return new Result(family.logReads(), micros / events / children);
            }
        }
    }

    private static Map<String, UnaryOperator<ChildSpec<Connection>>> named(int children) {
        Map<String, UnaryOperator<ChildSpec<Connection>>> named = new TreeMap<>();
        for (int i = 0; i < children; i++) {
            named.put("child-" + i, ManyChildrenFigure::acknowledging);
        }
        return named;
    }

    private static ChildSpec<Connection> acknowledging(ChildSpec<Connection> child) {
        return child.fromBeginning().projection(event -> Outcome.applied());
    }
}
