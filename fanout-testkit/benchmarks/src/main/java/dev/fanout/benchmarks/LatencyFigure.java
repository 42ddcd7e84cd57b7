// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import static dev.fanout.benchmarks.Ways.FANOUT;
import static dev.fanout.benchmarks.Ways.FANOUT_UNTOLD;
import static dev.fanout.benchmarks.Ways.LOOP_BY_HAND;

import dev.fanout.benchmarks.PacedAppends.Commit;
import dev.fanout.benchmarks.Way.Appender;
import dev.fanout.benchmarks.Way.Delivery;
import dev.fanout.benchmarks.Ways.Address;
import dev.fanout.testkit.ChildJvm;
import dev.fanout.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Milliseconds from the return of commit to the call of apply, for appends in this process and in another. */
final class LatencyFigure implements Figure {

    private static final Duration BUSY = Duration.ofMillis(10);
    /** Longer than a relay stays awake without appends. */
    private static final Duration QUIET = Duration.ofMillis(250);

    private record Setup(String name, Ways way, boolean remote) {}

    private static final List<Setup> SETUPS = List.of(
            new Setup("local", FANOUT, false),
            new Setup("untold", FANOUT_UNTOLD, false),
            new Setup("loop", LOOP_BY_HAND, false),
            new Setup("remote", FANOUT, true),
            new Setup("loop.remote", LOOP_BY_HAND, true));

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public void measure(Bench bench) throws SQLException {
        busy(bench);
        quiet(bench);
    }

    private static void busy(Bench bench) throws SQLException {
        Form form = bench.form();
        PacedAppends paced = new PacedAppends(form.warmUpSamples(), form.samples(), BUSY);
        Map<Setup, List<double[]>> rounds = new LinkedHashMap<>();
        for (int round = 0; round < form.rounds(); round++) {
            for (Setup setup : SETUPS) {
                rounds.computeIfAbsent(setup, any -> new ArrayList<>()).add(run(bench, setup, paced));
            }
        }
        rounds.forEach((setup, latencies) -> {
            report(bench, "latency." + setup.name + ".p50", latencies, 0.50);
            report(bench, "latency." + setup.name + ".p99", latencies, 0.99);
        });
    }

    private static void quiet(Bench bench) throws SQLException {
        PacedAppends paced =
                new PacedAppends(bench.form().warmUpSamples(), bench.form().quietSamples(), QUIET);
        for (Setup setup : SETUPS) {
            report(bench, "latency.quiet." + setup.name + ".p50", List.of(run(bench, setup, paced)), 0.50);
        }
    }

    private static void report(Bench bench, String name, List<double[]> rounds, double share) {
        List<Double> each = rounds.stream()
                .map(round -> Statistics.percentile(round, share))
                .toList();
        bench.figures().add(name, Statistics.median(each), "ms");
    }

    private static double[] run(Bench bench, Setup setup, PacedAppends paced) throws SQLException {
        Map<String, Long> applied = new ConcurrentHashMap<>();
        return bench.fresh(setup.way, (way, database) -> {
            try (Delivery delivery =
                    way.deliver((entity, version) -> applied.put(entity + "/" + version, System.nanoTime()))) {
                Bench.await("a consumer that is ready", () -> delivery.readyAt() != 0);
                List<Commit> commits = setup.remote ? remotely(setup.way, database, paced) : here(way, paced);
                Bench.await("the last event", () -> applied.size() >= paced.warmUp() + paced.samples());
                return commits.stream()
                        .mapToDouble(commit -> millis(commit, applied.getOrDefault(commit.event(), Long.MAX_VALUE)))
                        .toArray();
            }
        });
    }

    private static double millis(Commit commit, long appliedAt) {
        return (appliedAt - commit.at()) / 1e6;
    }

    private static List<Commit> here(Way way, PacedAppends paced) throws SQLException {
        try (Appender appender = way.appender()) {
            return paced.run(appender);
        }
    }

    private static List<Commit> remotely(Ways way, TestDatabase database, PacedAppends paced) {
        Address address = Address.of(database);
        try (ChildJvm child = ChildJvm.running(RemoteAppender.class)
                .arguments(way.name(), address.url(), address.user(), address.password())
                .arguments(Integer.toString(paced.warmUp()), Integer.toString(paced.samples()))
                .arguments(Long.toString(paced.pause().toNanos()))
                .start()) {
            child.awaitLine("^" + RemoteAppender.DONE + "$", Duration.ofMinutes(10));
            return RemoteAppender.read(child.output());
        }
    }
}
