// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Cursors.Cursor;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Layout;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** Cursors and gates. Only the head of a cursor's ledger is kept; a gate's rows are all kept until they are passed. */
final class CursorTable {

    private static final Cursor NONE = new Cursor(0, Counts.NONE);

    private final Map<Place, Cursor> cursors = new HashMap<>();
    private final Map<Gate, TreeSet<Long>> gates = new HashMap<>();

    private record Place(Layout.Attachment attachment, int partition) {}

    private record Gate(Layout.Attachment attachment, long entity) {}

    void attach(Layout.Attachment attachment, int partition, long position) {
        cursors.put(new Place(attachment, partition), new Cursor(position, Counts.NONE));
    }

    Cursor cursor(Layout.Attachment attachment, int partition) {
        return cursors.getOrDefault(new Place(attachment, partition), NONE);
    }

    OptionalLong gate(Layout.Attachment attachment, long entity) {
        TreeSet<Long> versions = gates.get(new Gate(attachment, entity));
        return versions == null || versions.isEmpty() ? OptionalLong.empty() : OptionalLong.of(versions.last());
    }

    void advance(Advance step) {
        long head = cursor(step.attachment(), step.partition()).position();
        if (head != step.from()) {
            throw new ForgottenException("cursor of " + step.attachment().child() + "/" + step.partition()
                    + " stands at " + head + ", but the step begins at " + step.from() + "; nothing was written");
        }
        cursors.put(new Place(step.attachment(), step.partition()), new Cursor(step.to(), step.counts()));
        step.passed().forEach((entity, version) -> gateRows(step, entity).remove(version));
        step.gates().forEach((entity, version) -> gateRows(step, entity).add(version));
    }

    private Set<Long> gateRows(Advance step, long entity) {
        return gates.computeIfAbsent(new Gate(step.attachment(), entity), g -> new TreeSet<>());
    }
}
