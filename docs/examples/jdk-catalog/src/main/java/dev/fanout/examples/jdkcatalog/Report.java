// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import dev.fanout.Status;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the terminal shows, and which claims hold. Used by one thread. */
final class Report {

    private final PrintStream out;
    private final List<String> failed = new ArrayList<>();
    private int claims;

    Report(PrintStream out) {
        this.out = out;
    }

    PrintStream out() {
        return out;
    }

    void section(String title) {
        out.printf("%n%s%n", title);
    }

    void say(String format, Object... arguments) {
        out.println("  " + String.format(Locale.ROOT, format, arguments));
    }

    /** Makes a claim, with what was counted where the truth is and what was counted where it is claimed of. */
    void claim(String claim, Object expected, Object actual) {
        claims++;
        boolean holds = Objects.equals(expected, actual);
        String line = claim + ": " + (holds ? shown(actual) : shown(actual) + " instead of " + shown(expected));
        out.println((holds ? "  ok  " : "  !!  ") + line);
        if (!holds) {
            failed.add(line);
        }
    }

    /** The library's own counters, for comparison: no claim rests on them. */
    void table(Status status) {
        Map<String, List<Status.Child>> byChild = status.children().stream()
                .collect(Collectors.groupingBy(Status.Child::child, TreeMap::new, Collectors.toList()));
        say("%-10s %10s %10s %10s %10s", "child", "published", "applied", "skipped", "pending");
        byChild.forEach((child, partitions) -> say(
                "%-10s %,10d %,10d %,10d %,10d",
                child,
                partitions.stream().mapToLong(Status.Child::head).sum(),
                partitions.stream().mapToLong(Status.Child::applied).sum(),
                partitions.stream().mapToLong(Status.Child::skipped).sum(),
                partitions.stream().mapToLong(Status.Child::pending).sum()));
        say("waiting in the outbox: %,d", status.waiting());
    }

    /** What could not be done is no claim that holds. */
    void failed(Throwable failure) {
        claims++;
        failure.printStackTrace(out);
        failed.add(failure.toString());
    }

    boolean holds() {
        return failed.isEmpty();
    }

    void end(Duration took) {
        double seconds = took.toMillis() / 1e3;
        if (holds()) {
            out.printf(Locale.ROOT, "%nnothing lost: all %d claims hold, after %.0f s%n", claims, seconds);
        } else {
            out.printf(Locale.ROOT, "%n%d of %d claims FAILED, after %.0f s:%n", failed.size(), claims, seconds);
            failed.forEach(line -> out.println("  !!  " + line));
        }
    }

    private static String shown(Object value) {
        return value instanceof Number number
                ? String.format(Locale.ROOT, "%,d", number.longValue())
                : value.toString();
    }
}
