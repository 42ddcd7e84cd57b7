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
import java.util.function.IntPredicate;

/** Cursors and gates. Only the head of a cursor's ledger is kept; a gate's rows are all kept until they are passed. */
final class CursorTable {

    private final Map<Place, Cursor> cursors = new HashMap<>();
    private final Map<Gate, TreeSet<Long>> gates = new HashMap<>();

    private record Place(int attachment, int partition) {}

    private record Gate(int attachment, long entity) {}

    void attach(Layout.Attachment attachment, int partition, long position) {
        cursors.put(new Place(attachment.no(), partition), new Cursor(0, position, Counts.NONE));
    }

    Cursor cursor(Layout.Attachment attachment, int partition) {
        return cursors.getOrDefault(new Place(attachment.no(), partition), Cursor.START);
    }

    OptionalLong gate(Layout.Attachment attachment, long entity) {
        TreeSet<Long> versions = gates.get(new Gate(attachment.no(), entity));
        return versions == null || versions.isEmpty() ? OptionalLong.empty() : OptionalLong.of(versions.last());
    }

    /** Refuses a step that begins elsewhere than at the head. */
    void check(Advance step) {
        Cursor head = cursor(step.attachment(), step.partition());
        Cursor from = step.from();
        if (head.step() != from.step() || head.position() != from.position()) {
            throw new ForgottenException("cursor of " + step.attachment().child() + "/" + step.partition()
                    + " stands at step " + head.step() + ", position " + head.position() + ", but the step begins at "
                    + from.step() + ", " + from.position() + "; nothing was written");
        }
    }

    void advance(Advance step) {
        cursors.put(new Place(step.attachment().no(), step.partition()), step.to());
        step.passed().forEach((entity, version) -> gateRows(step, entity).remove(version));
        step.gates().forEach((entity, version) -> gateRows(step, entity).add(version));
    }

    /** Removes what belongs to attachments that are over. */
    long sweep(IntPredicate over) {
        long before = (long) cursors.size() + gates.size();
        cursors.keySet().removeIf(place -> over.test(place.attachment()));
        gates.keySet().removeIf(gate -> over.test(gate.attachment()));
        return before - cursors.size() - gates.size();
    }

    private Set<Long> gateRows(Advance step, long entity) {
        return gates.computeIfAbsent(new Gate(step.attachment().no(), entity), g -> new TreeSet<>());
    }
}
