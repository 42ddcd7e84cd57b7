// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kills;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** A plain projection into a file: a record that no crash of the process or the database takes back. */
record Chronicle(Path file, Consumer<Event> onTheWay) implements Projection {

    /** Where somebody was killed. */
    private static final String CUT = "cut";

    @Override
    public Outcome apply(Event event) throws IOException {
        write(file, event.entity().id() + " " + event.version());
        onTheWay.accept(event);
        return Outcome.applied();
    }

    static void cut(Path file) throws IOException {
        write(file, CUT);
    }

    private static void write(Path file, String line) throws IOException {
        Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    static Set<String> told(Path file) throws IOException {
        Set<String> told = new TreeSet<>(Files.readAllLines(file));
        told.remove(CUT);
        return told;
    }

    /** Between two kills an asset's versions only grow; a repeat has a kill before it, which is its cause. */
    static void assertVersionsOnlyGrow(Path file) throws IOException {
        Map<String, Long> last = new HashMap<>();
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String[] words = lines.get(i).split(" ", -1);
            if (words[0].equals(CUT)) {
                last.clear();
            } else {
                long version = Long.parseLong(words[1]);
                assertThat(version)
                        .as("line %d: %s after v%s", i + 1, lines.get(i), last.get(words[0]))
                        .isGreaterThan(last.getOrDefault(words[0], 0L));
                last.put(words[0], version);
            }
        }
    }

    /** No event is told before one of a lower version has been told at least once. */
    static void assertFirstsInOrder(Path file) throws IOException {
        Map<String, Long> highest = new HashMap<>();
        for (String line : Files.readAllLines(file)) {
            String[] words = line.split(" ", -1);
            if (!words[0].equals(CUT)) {
                long version = Long.parseLong(words[1]);
                long before = highest.getOrDefault(words[0], 0L);
                assertThat(version)
                        .as("%s when v%d was the highest told", line, before)
                        .isLessThanOrEqualTo(before + 1);
                highest.put(words[0], Math.max(before, version));
            }
        }
    }
}
