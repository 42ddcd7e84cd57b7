// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import static dev.fanout.benchmarks.Ways.FANOUT;
import static dev.fanout.benchmarks.Ways.LOOP_BY_HAND;

import dev.fanout.benchmarks.Way.Delivery;
import java.sql.SQLException;

/** What is delivered per second while four threads append flat out, and how much waits at the end. */
final class SustainedFigure implements Figure {

    private static final int APPENDERS = 4;

    private record Result(double delivered, double lag) {}

    @Override
    public String name() {
        return "sustained";
    }

    @Override
    public void measure(Bench bench) throws SQLException {
        Rounds delivered = new Rounds();
        Rounds lags = new Rounds();
        for (int round = 0; round < bench.form().rounds(); round++) {
            for (Ways way : Bench.inTurn(round, LOOP_BY_HAND, FANOUT)) {
                Result result = run(bench, way);
                delivered.add(way, result.delivered);
                lags.add(way, result.lag);
            }
        }
        Figures figures = bench.figures();
        figures.add("sustained.ratio", delivered.medianRatio(FANOUT, LOOP_BY_HAND), "x");
        figures.add("sustained.lag", lags.worst(FANOUT), "events");
        figures.add("sustained.events", delivered.median(FANOUT), "events/s");
        figures.add("sustained.loop.lag", lags.worst(LOOP_BY_HAND), "events");
        figures.add("sustained.loop.events", delivered.median(LOOP_BY_HAND), "events/s");
    }

    private static Result run(Bench bench, Ways kind) throws SQLException {
        return bench.fresh(kind, (way, database) -> {
            way.fill(Payloads.ENTITIES);
            try (Delivery delivery = way.deliver((entity, version) -> {})) {
                Bench.await("the first events", () -> delivery.acknowledged() >= Payloads.ENTITIES);
                try (Load load = Load.start(way, APPENDERS)) {
                    Bench.pause(bench.form().warmUp());
                    double rate = Load.rate(delivery::acknowledged, bench.form().measured());
                    long appended = Payloads.ENTITIES + load.committed();
                    return new Result(rate, Math.max(0, appended - delivery.acknowledged()));
                }
            }
        });
    }
}
