// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import static dev.fanout.benchmarks.Ways.FANOUT;
import static dev.fanout.benchmarks.Ways.LOOP_BY_HAND;
import static dev.fanout.benchmarks.Ways.ROWS_BY_HAND;

import dev.fanout.benchmarks.Way.Delivery;
import java.sql.SQLException;
import java.util.List;

/** Appends per second flat out, with the consumer running, beside the same rows by hand with none. */
final class AppendFigure implements Figure {

    @Override
    public String name() {
        return "append";
    }

    @Override
    public void measure(Bench bench) throws SQLException {
        warmUp(bench);
        for (int threads : bench.form().threads()) {
            measure(bench, threads);
        }
    }

    /** A round that is not counted: the first would have its code compiled while it is measured. */
    private static void warmUp(Bench bench) throws SQLException {
        for (Ways way : List.of(ROWS_BY_HAND, LOOP_BY_HAND, FANOUT)) {
            rate(bench, way, 8);
        }
    }

    private static void measure(Bench bench, int threads) throws SQLException {
        Rounds rates = new Rounds();
        for (int round = 0; round < bench.form().rounds(); round++) {
            for (Ways way : Bench.inTurn(round, ROWS_BY_HAND, LOOP_BY_HAND, FANOUT)) {
                rates.add(way, rate(bench, way, threads));
            }
        }
        Figures figures = bench.figures();
        figures.add("append.ratio." + threads, rates.medianRatio(FANOUT, ROWS_BY_HAND), "x");
        figures.add("append.loop." + threads, rates.medianRatio(LOOP_BY_HAND, ROWS_BY_HAND), "x");
        figures.add("append.events." + threads, rates.median(FANOUT), "events/s");
        figures.add("append.rows." + threads, rates.median(ROWS_BY_HAND), "events/s");
    }

    private static double rate(Bench bench, Ways kind, int threads) throws SQLException {
        return bench.fresh(kind, (way, database) -> {
            way.fill(Payloads.ENTITIES);
            if (kind == ROWS_BY_HAND) {
                return rate(bench, way, threads);
            }
            try (Delivery delivery = way.deliver((entity, version) -> {})) {
                Bench.await("the first events", () -> delivery.acknowledged() >= Payloads.ENTITIES);
                return rate(bench, way, threads);
            }
        });
    }

    private static double rate(Bench bench, Way way, int threads) throws SQLException {
        try (Load load = Load.start(way, threads)) {
            Bench.pause(bench.form().warmUp());
            return Load.rate(load::committed, bench.form().measured());
        }
    }
}
