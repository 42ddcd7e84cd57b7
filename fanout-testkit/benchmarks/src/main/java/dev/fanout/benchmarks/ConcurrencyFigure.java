// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.Outcome;
import dev.fanout.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Events per second of a projection that takes 5 ms for each and handles 16 entities at a time, beside what 16 threads could do. */
final class ConcurrencyFigure implements Figure {

    private static final int CALLS = 16;
    private static final Duration EACH = Duration.ofMillis(5);
    private static final double POSSIBLE = CALLS * 1e9 / EACH.toNanos();

    @Override
    public String name() {
        return "children";
    }

    @Override
    public void measure(Bench bench) throws SQLException {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < bench.form().children().rounds(); round++) {
            ratios.add(rate(bench, bench.form().children().slowEvents()) / POSSIBLE);
        }
        bench.figures().add("concurrency.ratio", Statistics.median(ratios), "x");
    }

    /** From the commit that brings all of them to the last durable acknowledgement. */
    private static double rate(Bench bench, int events) throws SQLException {
        try (TestDatabase database = bench.server().createDatabase();
                Family family = Family.start(
                        database,
                        Map.of(
                                "slow",
                                child -> child.concurrency(CALLS).projection(event -> {
                                    Bench.pause(EACH);
                                    return Outcome.applied();
                                })))) {
            int first = events / 4;
            family.burst(first);
            Bench.await("the first events", () -> family.delivered() >= first);
            long before = family.burst(events);
            Bench.await("all events", () -> family.delivered() >= first + events);
            return events * 1e9 / (System.nanoTime() - before);
        }
    }
}
