// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/** A plain projection that writes down what it is told, in the order it is told. */
public final class Diary implements Projection {

    /** One delivery. */
    public record Line(String asset, long version) {

        @Override
        public String toString() {
            return asset + " v" + version;
        }
    }

    private final List<Line> lines = new ArrayList<>();

    @Override
    public synchronized Outcome apply(Event event) {
        lines.add(new Line(event.entity().id(), event.version()));
        return Outcome.applied();
    }

    public synchronized List<Line> lines() {
        return List.copyOf(lines);
    }

    public synchronized int size() {
        return lines.size();
    }

    /** The versions of an asset as they were told. */
    public List<Long> versions(String asset) {
        return lines().stream()
                .filter(line -> line.asset().equals(asset))
                .map(Line::version)
                .toList();
    }

    public void awaitSize(int size) {
        Awaitility.await().atMost(Engines.PATIENCE).until(() -> size() >= size);
    }

    public void awaitLine(String asset, long version) {
        Line awaited = new Line(asset, version);
        Awaitility.await().atMost(Engines.PATIENCE).until(() -> lines().contains(awaited));
    }

    /** Everything once, and each asset's versions 1, 2, 3 .. as they were committed. */
    public void assertToldOnceInOrder() {
        Map<String, Long> last = new LinkedHashMap<>();
        for (Line line : lines()) {
            long before = last.getOrDefault(line.asset(), 0L);
            assertThat(line.version()).as("%s after v%s", line, before).isEqualTo(before + 1);
            last.put(line.asset(), line.version());
        }
    }
}
