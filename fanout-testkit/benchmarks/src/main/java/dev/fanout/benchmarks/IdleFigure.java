// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.benchmarks.Way.Delivery;
import dev.fanout.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Statements per second of an engine that has nothing to do, as the server logs them: every one that it executes for any
 * connection to the engine's database. What asks nothing is counted apart: BEGIN, COMMIT, and the empty statement by which
 * a pool tests a connection.
 */
final class IdleFigure implements Figure {

    /** Database, backend and number of the line: a line's identity. */
    static final String LOG_PREFIX = "[%d/%p/%l] ";

    private static final Duration SETTLE = Duration.ofSeconds(2);
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Pattern EXECUTED =
            Pattern.compile("^(\\[[^]]*]) LOG: {2}(?:execute [^:]*|statement): (?:\n\t)*(.*)$", Pattern.MULTILINE);
    private static final Pattern TRANSACTION = Pattern.compile("(?i)|(begin|commit|rollback|set transaction).*");

    private static final Pattern NAME = Pattern.compile("^/\\* fanout (\\S+)");

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
        Map<String, String> executed = new HashMap<>();
        long before = System.nanoTime();
        logStatements(bench, "all");
        for (Duration left = bench.form().idle(); !left.isNegative(); left = left.minus(LOOK)) {
            Bench.pause(LOOK);
            collect(bench.server().log(), "[" + database.name() + "/", executed);
        }
        double seconds = (System.nanoTime() - before) / 1e9;
        logStatements(bench, "none");
        long control = executed.values().stream()
                .filter(sql -> TRANSACTION.matcher(sql).matches())
                .count();
        bench.figures().add("idle.statements", (executed.size() - control) / seconds, "statements/s");
        bench.figures().add("idle.control", control / seconds, "statements/s");
        Map<String, Long> each = executed.values().stream()
                .collect(Collectors.groupingBy(IdleFigure::name, TreeMap::new, Collectors.counting()));
        bench.figures().remark("idle in " + Math.round(seconds) + " s: " + each);
        return true;
    }

    /** A statement of the library begins with its name in a comment. */
    private static String name(String sql) {
        Matcher named = NAME.matcher(sql);
        return named.find() ? named.group(1) : sql;
    }

    private static void collect(String log, String prefix, Map<String, String> executed) {
        Matcher lines = EXECUTED.matcher(log);
        while (lines.find()) {
            if (lines.group(1).startsWith(prefix)) {
                executed.put(lines.group(1), lines.group(2));
            }
        }
    }

    private static void logStatements(Bench bench, String which) {
        try (TestDatabase any = bench.server().createDatabase()) {
            any.execute("alter system set log_statement = '" + which + "'");
            any.execute("select pg_reload_conf()");
        }
    }
}
