// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.testkit.TestDatabase;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Every statement that the server executed for any connection while its log was watched. What asks nothing is counted apart:
 * BEGIN, COMMIT, and the empty statement by which a pool tests a connection.
 */
final class LoggedStatements {

    /** Database, backend and number of the line: a line's identity. */
    static final String LOG_PREFIX = "[%d/%p/%l] ";

    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Pattern EXECUTED =
            Pattern.compile("^(\\[[^]]*]) LOG: {2}(?:execute [^:]*|statement): (?:\n\t)*(.*)$", Pattern.MULTILINE);
    private static final Pattern TRANSACTION = Pattern.compile("(?i)|(begin|commit|rollback|set transaction).*");
    private static final Pattern NAME = Pattern.compile("^/\\* fanout (\\S+)");

    private final Map<String, String> executed;
    private final double seconds;

    private LoggedStatements(Map<String, String> executed, double seconds) {
        this.executed = executed;
        this.seconds = seconds;
    }

    static LoggedStatements during(Bench bench, Duration time) {
        Map<String, String> executed = new HashMap<>();
        long before = System.nanoTime();
        logStatements(bench, "all");
        for (Duration left = time; !left.isNegative(); left = left.minus(LOOK)) {
            Bench.pause(LOOK);
            Matcher lines = EXECUTED.matcher(bench.server().log());
            while (lines.find()) {
                executed.put(lines.group(1), lines.group(2));
            }
        }
        double seconds = (System.nanoTime() - before) / 1e9;
        logStatements(bench, "none");
        return new LoggedStatements(executed, seconds);
    }

    double perMinute(TestDatabase database) {
        return 60 * perSecond(database);
    }

    double perSecond(TestDatabase database) {
        return (of(database).size() - controls(database)) / seconds;
    }

    double controlsPerSecond(TestDatabase database) {
        return controls(database) / seconds;
    }

    /** How often each was executed. A statement of the library begins with its name in a comment. */
    Map<String, Long> byName(TestDatabase database) {
        return of(database).values().stream()
                .collect(Collectors.groupingBy(LoggedStatements::name, TreeMap::new, Collectors.counting()));
    }

    private long controls(TestDatabase database) {
        return of(database).values().stream()
                .filter(sql -> TRANSACTION.matcher(sql).matches())
                .count();
    }

    private Map<String, String> of(TestDatabase database) {
        return executed.entrySet().stream()
                .filter(line -> line.getKey().startsWith("[" + database.name() + "/"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static String name(String sql) {
        Matcher named = NAME.matcher(sql);
        return named.find() ? named.group(1) : sql;
    }

    private static void logStatements(Bench bench, String which) {
        try (TestDatabase any = bench.server().createDatabase()) {
            any.execute("alter system set log_statement = '" + which + "'");
            any.execute("select pg_reload_conf()");
        }
    }
}
