// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import static dev.fanout.benchmarks.Ways.FANOUT;
import static dev.fanout.benchmarks.Ways.LOOP_BY_HAND;

import dev.fanout.benchmarks.Way.Delivery;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * How quickly a backlog is worked off that waits when the consumer starts: from the moment that it may take its first
 * event (the loop listens, the relay has its lane) to the last durable acknowledgement.
 */
final class DrainFigure implements Figure {

    @Override
    public String name() {
        return "drain";
    }

    @Override
    public void measure(Bench bench) throws SQLException {
        warmUp(bench);
        besideTheLoop(bench);
        flatness(bench);
        snapshot(bench);
    }

    private static void warmUp(Bench bench) throws SQLException {
        rate(bench, LOOP_BY_HAND, bench.form().drain(), false);
        rate(bench, FANOUT, bench.form().drain(), false);
    }

    private static void besideTheLoop(Bench bench) throws SQLException {
        int events = bench.form().drain();
        Rounds rates = new Rounds();
        for (int round = 0; round < bench.form().drainRounds(); round++) {
            for (Ways way : Bench.inTurn(round, LOOP_BY_HAND, FANOUT)) {
                rates.add(way, rate(bench, way, events, false));
            }
        }
        bench.figures().add("drain.ratio", rates.medianRatio(FANOUT, LOOP_BY_HAND), "x");
        bench.figures().add("drain.events", rates.median(FANOUT), "events/s");
        bench.figures().add("drain.loop", rates.median(LOOP_BY_HAND), "events/s");
    }

    private static void flatness(Bench bench) throws SQLException {
        List<Integer> sizes = bench.form().flat();
        double small = medianRate(bench, sizes.get(0));
        for (int size : sizes.subList(1, sizes.size())) {
            String name = size == sizes.get(1) ? "drain.flat" : "drain.flat." + Form.sizeName(size);
            bench.figures().add(name, medianRate(bench, size) / small, "x");
        }
    }

    private static double medianRate(Bench bench, int events) throws SQLException {
        int rounds = events <= 100_000 ? bench.form().drainRounds() : 1;
        List<Double> rates = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            rates.add(rate(bench, FANOUT, events, false));
        }
        double median = Statistics.median(rates);
        bench.figures().add("drain.events." + Form.sizeName(events), median, "events/s");
        return median;
    }

    private static void snapshot(Bench bench) throws SQLException {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < bench.form().snapshotRounds(); round++) {
            double without = rate(bench, FANOUT, bench.form().snapshot(), false);
            double with = rate(bench, FANOUT, bench.form().snapshot(), true);
            ratios.add(with / without);
        }
        bench.figures().add("drain.snapshot", Statistics.median(ratios), "x");
        bench.figures().add("drain.snapshot.backlog", bench.form().snapshot(), "events");
    }

    private static double rate(Bench bench, Ways kind, int events, boolean held) throws SQLException {
        return bench.fresh(kind, (way, database) -> {
            way.fill(events);
            settle(database);
            try (Connection holder = database.connect()) {
                if (held) {
                    hold(holder);
                }
                return rate(way, events);
            }
        });
    }

    /** Every drain begins with nothing left to be written or counted of the filling. */
    private static void settle(TestDatabase database) {
        database.execute("analyze");
        database.execute("checkpoint");
    }

    /** A transaction with an id and a snapshot: what stalls a reader of an horizon, and what keeps dead rows from going. */
    private static void hold(Connection holder) throws SQLException {
        holder.setAutoCommit(false);
        holder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = holder.createStatement()) {
            statement.execute("select pg_current_xact_id()");
        }
    }

    private static double rate(Way way, int events) throws SQLException {
        try (Delivery delivery = way.deliver((entity, version) -> {})) {
            Bench.await("a backlog of " + events, () -> delivery.acknowledged() >= events);
            return events * 1e9 / (System.nanoTime() - delivery.readyAt());
        }
    }
}
