// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.benchmarks.PacedAppends.Commit;
import dev.fanout.benchmarks.Way.Appender;
import dev.fanout.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the neighbours of a child do to it: its p99 from commit to apply while one of them takes 50 ms for each event and
 * another fails for every second entity, beside its p99 while both behave.
 */
final class IsolationFigure implements Figure {

    private static final Duration PAUSE = Duration.ofMillis(8);
    private static final Duration SLOW = Duration.ofMillis(50);

    private record Result(double behaving, double misbehaving) {}

    @Override
    public String name() {
        return "children";
    }

    @Override
    public void measure(Bench bench) throws SQLException {
        List<Double> ratios = new ArrayList<>();
        List<Double> behaving = new ArrayList<>();
        List<Double> misbehaving = new ArrayList<>();
        for (int round = 0; round < bench.form().children().rounds(); round++) {
            Result result = run(bench);
            ratios.add(result.misbehaving / result.behaving);
            behaving.add(result.behaving);
            misbehaving.add(result.misbehaving);
        }
        bench.figures().add("isolation.p99", Statistics.median(ratios), "x");
        bench.figures().add("isolation.behaving.p99", Statistics.median(behaving), "ms");
        bench.figures().add("isolation.misbehaving.p99", Statistics.median(misbehaving), "ms");
    }

    private static Result run(Bench bench) throws SQLException {
        PacedAppends paced = new PacedAppends(
                bench.form().warmUpSamples(), bench.form().children().samples(), PAUSE);
        Map<String, Long> applied = new ConcurrentHashMap<>();
        AtomicBoolean misbehave = new AtomicBoolean();
        try (TestDatabase database = bench.server().createDatabase();
                Family family = Family.start(
                        database,
                        Map.of(
                                "watched",
                                        child -> child.projection(event -> {
                                            applied.put(name(event), System.nanoTime());
                                            return Outcome.applied();
                                        }),
                                "slow", child -> child.projection(event -> slow(misbehave)),
                                "failing", child -> child.projection(event -> failing(event, misbehave))));
                Appender appender = family.appender()) {
            p99(paced.run(appender), applied);
            double behaving = p99(paced.run(appender), applied);
            misbehave.set(true);
            return new Result(behaving, p99(paced.run(appender), applied));
        }
    }

    private static Outcome slow(AtomicBoolean misbehave) {
        if (misbehave.get()) {
            Bench.pause(SLOW);
        }
        return Outcome.applied();
    }

    private static Outcome failing(Event event, AtomicBoolean misbehave) {
        if (misbehave.get() && event.entity().id().hashCode() % 2 == 0) {
            throw new IllegalStateException("the store of every second entity is down");
        }
        return Outcome.applied();
    }

    private static double p99(List<Commit> commits, Map<String, Long> applied) {
        Bench.await("the last event", () -> commits.stream().allMatch(commit -> applied.containsKey(commit.event())));
        double[] millis = commits.stream()
                .mapToDouble(commit -> (applied.getOrDefault(commit.event(), Long.MAX_VALUE) - commit.at()) / 1e6)
                .toArray();
        return Statistics.percentile(millis, 0.99);
    }

    private static String name(Event event) {
        return event.entity().id() + "/" + event.version();
    }
}
