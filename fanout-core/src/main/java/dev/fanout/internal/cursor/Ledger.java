// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.spi.Cursors;
import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Aside;
import dev.fanout.spi.Cursors.Blocked;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Cursors.Cursor;
import dev.fanout.spi.Cursors.Forward;
import dev.fanout.spi.Cursors.Freed;
import dev.fanout.spi.Cursors.Gate;
import dev.fanout.spi.Cursors.Parking;
import dev.fanout.spi.Layout.Attachment;
import dev.fanout.spi.Lease;
import dev.fanout.spi.LogRecord;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the owner of a child's partition remembers of what it wrote itself under its lease: cursor, gates, and what is
 * settled ahead of the cursor. All of it can be read again.
 *
 * @param <T> the transaction handle of the store
 */
final class Ledger<T> {

    private final Lease lease;
    private final Attachment attachment;
    private final int partition;
    private final Cursors<T> cursors;
    private final GateCache gates = new GateCache();
    private final Map<Long, Fate> ahead = new HashMap<>();

    private @Nullable Cursor at;
    private volatile long position;

    Ledger(Lease lease, Attachment attachment, int partition, Cursors<T> cursors) {
        this.lease = lease;
        this.attachment = attachment;
        this.partition = partition;
        this.cursors = cursors;
    }

    /** Where the cursor stands, read where it is not remembered. */
    Cursor at() {
        Cursor known = at;
        if (known == null) {
            known = cursors.cursor(attachment, partition);
            at = known;
            position = known.position();
        }
        return known;
    }

    /** The position last known, for others to look at. */
    long position() {
        return position;
    }

    /** Where entities stand. */
    Map<Long, Gate> gates(Collection<Long> entities) {
        return gates.of(entities, unknown -> cursors.gates(attachment, unknown));
    }

    /** What is settled ahead of the cursor, by position. */
    Map<Long, Fate> ahead() {
        return ahead;
    }

    /**
     * Makes a step from where the cursor stands.
     *
     * @param to the new position
     * @param counts what it adds
     * @param newer the new highest versions applied
     * @param parking what is set aside, and what no longer is
     * @param forwarded what goes on to a child stream
     * @param last the last record that it settles
     */
    Advance step(
            long to,
            Counts counts,
            Map<Long, Long> newer,
            Parking parking,
            List<Forward> forwarded,
            Optional<LogRecord> last) {
        Cursor from = at();
        Map<Long, Long> passed = new HashMap<>();
        gates(newer.keySet()).forEach((entity, gate) -> {
            if (gate.version() > 0) {
                passed.put(entity, gate.version());
            }
        });
        return new Advance(
                lease, attachment, partition, from, from.next(to, counts), newer, passed, parking, forwarded, last);
    }

    /** Writes a step, and takes it in. */
    void write(Advance step) {
        writeOnly(step);
        written(step);
    }

    /** Writes a step. */
    void writeOnly(Advance step) {
        cursors.advance(step);
    }

    /** Takes in a step that is written. */
    void written(Advance step) {
        at = step.to();
        position = step.to().position();
        ahead.keySet().removeIf(settled -> settled < position);
        gates.applied(step.gates());
        gates.changed(step.parking().blocked().stream().map(Blocked::entityNo).toList());
        gates.changed(step.parking().parked().stream().map(Aside::entityNo).toList());
        gates.changed(step.parking().freed().stream().map(Freed::entityNo).toList());
    }

    /** Reads cursor and gates again at the next step. */
    void reload() {
        at = null;
        gates.clear();
    }

    /** Forgets everything, also what was settled ahead. */
    void forget() {
        reload();
        ahead.clear();
    }

    /** The gate of one entity. */
    Gate gate(long entity) {
        return gates(Set.of(entity)).getOrDefault(entity, Gate.OPEN);
    }
}
