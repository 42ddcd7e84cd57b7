// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.LogRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done with a slab, and what may be written of it afterwards. The gate is here: a record whose version is
 * not above what has been applied of its entity is not delivered.
 */
final class SlabPlan {

    /**
     * What may be written.
     *
     * @param to where the cursor may stand: behind the last record that is acknowledged, gated or lost, with none before
     *     it that is not
     * @param counts what became of the records up to there
     * @param gates the new highest versions, by entity
     * @param passed the versions that they replace, where there were any
     * @param last the record before {@code to}, unless the slab does not hold it
     * @param acknowledged the events that are acknowledged
     * @param refusal what the projection said of the first event that it did not acknowledge, if any
     */
    record Result(
            long to,
            Counts counts,
            Map<Long, Long> gates,
            Map<Long, Long> passed,
            Optional<LogRecord> last,
            List<Event> acknowledged,
            @Nullable Outcome refusal) {}

    private final long from;
    private final List<LogRecord> records;
    private final Map<Long, Long> known;
    private final List<LogRecord> deliverable = new ArrayList<>();

    /**
     * Plans a slab.
     *
     * @param from where the cursor stands
     * @param records dense records, the first at or behind {@code from}
     * @param known the versions last applied, for each entity of the slab
     */
    SlabPlan(long from, List<LogRecord> records, Map<Long, Long> known) {
        this.from = from;
        this.records = records;
        this.known = known;
        Map<Long, Long> gate = new HashMap<>(known);
        for (LogRecord record : records) {
            long version = record.event().version();
            if (version > gate.getOrDefault(record.entityNo(), 0L)) {
                gate.put(record.entityNo(), version);
                deliverable.add(record);
            }
        }
    }

    List<Event> events() {
        return deliverable.stream().map(LogRecord::event).toList();
    }

    /** Says what may be written when the projection has answered so. */
    Result after(List<Outcome> outcomes) {
        Map<Long, Long> gates = new HashMap<>();
        int acknowledged = 0;
        int skipped = 0;
        Outcome refusal = null;
        for (LogRecord record : deliverable) {
            Outcome outcome = acknowledged < outcomes.size() ? outcomes.get(acknowledged) : null;
            if (outcome == null || !outcome.acknowledged()) {
                refusal = outcome == null ? Outcome.failed(unanswered(record, outcomes.size())) : outcome;
                break;
            }
            skipped += outcome instanceof Outcome.Skip ? 1 : 0;
            gates.put(record.entityNo(), record.event().version());
            acknowledged++;
        }
        long to = refusal == null ? end() : deliverable.get(acknowledged).position();
        long lost = Math.min(to, records.get(0).position()) - from;
        long gated = to - from - lost - acknowledged;
        Counts counts = new Counts(acknowledged - skipped, gated, skipped, lost);
        List<Event> events = deliverable.subList(0, acknowledged).stream()
                .map(LogRecord::event)
                .toList();
        return new Result(to, counts, gates, passedBy(gates), before(to), events, refusal);
    }

    /** Says that nothing may be written. */
    Result nothing(Outcome refusal) {
        return new Result(from, Counts.NONE, Map.of(), Map.of(), Optional.empty(), List.of(), refusal);
    }

    private long end() {
        return records.get(records.size() - 1).position() + 1;
    }

    private Optional<LogRecord> before(long position) {
        long index = position - 1 - records.get(0).position();
        return index < 0 ? Optional.empty() : Optional.of(records.get(Math.toIntExact(index)));
    }

    private Map<Long, Long> passedBy(Map<Long, Long> gates) {
        Map<Long, Long> passed = new HashMap<>();
        for (Long entity : gates.keySet()) {
            long before = known.getOrDefault(entity, 0L);
            if (before > 0) {
                passed.put(entity, before);
            }
        }
        return passed;
    }

    private static IllegalStateException unanswered(LogRecord record, int answers) {
        return new IllegalStateException("the projection returned " + answers + " outcome(s) and none for event "
                + record.event().id() + ": return one outcome for each event, or throw");
    }
}
