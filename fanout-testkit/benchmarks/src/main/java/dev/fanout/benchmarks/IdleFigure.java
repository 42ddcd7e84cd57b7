// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.benchmarks.Way.Delivery;
import dev.fanout.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;

/** Statements per second of an engine that has nothing to do, as the server logs them. */
final class IdleFigure implements Figure {

    /** How long after its last work an engine is idle. */
    static final Duration SETTLE = Duration.ofSeconds(2);

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public void measure(Bench bench) throws SQLException {
        bench.fresh(Ways.FANOUT, (way, database) -> {
            way.fill(Payloads.ENTITIES);
            try (Delivery delivery = way.deliver((entity, version) -> {})) {
                Bench.await("the first events", () -> delivery.acknowledged() >= Payloads.ENTITIES);
                Bench.pause(SETTLE);
                return report(bench, database);
            }
        });
    }

    private static boolean report(Bench bench, TestDatabase database) {
        LoggedStatements logged = LoggedStatements.during(bench, bench.form().idle());
        bench.figures().add("idle.statements", logged.perSecond(database), "statements/s");
        bench.figures().add("idle.control", logged.controlsPerSecond(database), "statements/s");
        bench.figures().remark("idle: " + logged.byName(database));
        return true;
    }
}
