// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.ChildSpec;
import dev.fanout.Outcome;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Statements of an engine whose delay child has very many records pending, beside one whose child has one; at the same time. */
final class DelayFigure implements Figure {

    private static final Map<String, UnaryOperator<ChildSpec<Connection>>> LATER =
            Map.of("later", child -> child.delay(Duration.ofHours(1)).projection(event -> Outcome.applied()));

    @Override
    public String name() {
        return "children";
    }

    @Override
    public void measure(Bench bench) throws SQLException {
        int pending = bench.form().children().delayed();
        try (TestDatabase full = bench.server().createDatabase();
                TestDatabase empty = bench.server().createDatabase();
                Family many = Family.start(full, LATER);
                Family one = Family.start(empty, LATER)) {
            many.fill(pending);
            one.fill(1);
            Bench.pause(IdleFigure.SETTLE);
            report(bench, pending, full, empty);
        }
    }

    private static void report(Bench bench, int pending, TestDatabase full, TestDatabase empty) {
        LoggedStatements logged =
                LoggedStatements.during(bench, bench.form().children().delayIdle());
        double many = logged.perMinute(full);
        double one = logged.perMinute(empty);
        bench.figures().add("delay.idle", many / one, "x");
        bench.figures().add("delay.idle.pending", pending, "events");
        bench.figures().add("delay.idle.statements", many, "statements/min");
        bench.figures().remark("delay.idle: " + logged.byName(full) + " beside " + logged.byName(empty));
    }
}
