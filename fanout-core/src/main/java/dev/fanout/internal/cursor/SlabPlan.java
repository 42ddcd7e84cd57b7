// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.spi.Cursors.Aside;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Cursors.Gate;
import dev.fanout.spi.LogRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is to be done with a slab, and what has become of each of its records so far.
 *
 * <p>The gate is here: a record whose version is not above what has been applied of its entity is not delivered, and one
 * whose entity is parked queues up behind the parked ones. The cursor may stand behind the last record that is settled, with
 * none before it that is not; what is settled further on is remembered by its gate.
 */
final class SlabPlan {

    /** A record that is to be delivered, with its place in the slab. */
    record Due(int index, LogRecord record) {

        Event event() {
            return record.event();
        }

        long entityNo() {
            return record.entityNo();
        }
    }

    private final List<LogRecord> records;
    private final Fate[] fates;
    private final Fate[] written;
    private final Map<Integer, List<Integer>> superseded = new HashMap<>();
    private final List<Due> due = new ArrayList<>();

    /**
     * Plans a slab.
     *
     * @param records dense records
     * @param settled what has become of them before the cursor could pass them, by position
     * @param gates where the entities stand; those of records that did not pass the filter need not be there
     * @param held entities that are left alone for now
     * @param latestOnly whether an event that a newer one of the slab supersedes need not be delivered
     */
    SlabPlan(
            List<LogRecord> records,
            Map<Long, Fate> settled,
            Map<Long, Gate> gates,
            Set<Long> held,
            boolean latestOnly) {
        this.records = records;
        this.fates = new Fate[records.size()];
        this.written = new Fate[records.size()];
        Arrays.fill(fates, Fate.PENDING);
        Arrays.fill(written, Fate.PENDING);
        plan(settled, gates, held);
        if (latestOnly) {
            supersede();
        }
    }

    private void plan(Map<Long, Fate> settled, Map<Long, Gate> gates, Set<Long> held) {
        Map<Long, Long> planned = new HashMap<>();
        for (int i = 0; i < fates.length; i++) {
            LogRecord record = records.get(i);
            long entity = record.entityNo();
            Fate known = settled.get(record.position());
            Gate gate = gates.getOrDefault(entity, Gate.OPEN);
            long version = record.event().version();
            if (known != null) {
                fates[i] = known;
                written[i] = known;
            } else if (version <= planned.getOrDefault(entity, gate.version())) {
                fates[i] = Fate.GATED;
            } else if (gate.parked()) {
                fates[i] = Fate.PARKED;
            } else if (!held.contains(entity)) {
                planned.put(entity, version);
                due.add(new Due(i, record));
            }
        }
    }

    /** An event is as good as delivered once a newer one of its entity is. */
    private void supersede() {
        Map<Long, Integer> newer = new HashMap<>();
        for (int n = due.size() - 1; n >= 0; n--) {
            Due one = due.get(n);
            Integer by = newer.putIfAbsent(one.entityNo(), one.index());
            if (by != null) {
                superseded.computeIfAbsent(by, b -> new ArrayList<>()).add(one.index());
                due.remove(n);
            }
        }
    }

    /** What is to be delivered, in log order. */
    List<Due> due() {
        return due;
    }

    /** The same by entity, in the order of their first events. */
    static Collection<List<Due>> byEntity(Collection<Due> some) {
        Map<Long, List<Due>> entities = new LinkedHashMap<>();
        some.forEach(one ->
                entities.computeIfAbsent(one.entityNo(), e -> new ArrayList<>()).add(one));
        return entities.values();
    }

    /** Takes in what the projection said of events that it was handed in this order, up to the first that it refused. */
    void settle(List<Due> handed, List<Outcome> outcomes) {
        for (int n = 0; n < Math.min(handed.size(), outcomes.size()); n++) {
            Outcome outcome = outcomes.get(n);
            if (!outcome.acknowledged()) {
                return;
            }
            settle(handed.get(n).index(), outcome instanceof Outcome.Skip ? Fate.SKIPPED : Fate.APPLIED);
        }
    }

    private void settle(int index, Fate fate) {
        fates[index] = fate;
        superseded.getOrDefault(index, List.of()).forEach(older -> fates[older] = Fate.GATED);
    }

    /** Takes it back: the transaction that did it was rolled back. */
    void unsettle(List<Due> handed) {
        for (Due one : handed) {
            fates[one.index()] = Fate.PENDING;
            superseded.getOrDefault(one.index(), List.of()).forEach(older -> fates[older] = Fate.PENDING);
        }
    }

    /** Sets aside all that is not settled of an entity. */
    void park(long entity) {
        for (int i = 0; i < fates.length; i++) {
            if (fates[i] == Fate.PENDING && records.get(i).entityNo() == entity) {
                fates[i] = Fate.PARKED;
            }
        }
    }

    boolean isSettled(Due one) {
        return fates[one.index()] != Fate.PENDING;
    }

    /** What has become of the nth record. */
    Fate fate(int n) {
        return fates[n];
    }

    /** How many records from the first are settled, with none between that is not. */
    int settledFromStart() {
        int settled = 0;
        while (settled < fates.length && fates[settled] != Fate.PENDING) {
            settled++;
        }
        return settled;
    }

    /** Where the cursor may stand: behind what is settled from the start, and behind a hole before it in any case. */
    long to() {
        int settled = settledFromStart();
        return settled == 0
                ? records.get(0).position()
                : records.get(settled - 1).position() + 1;
    }

    /** What became of the records from a position up to {@link #to()}. */
    Counts counts(long since) {
        Counts counts = Counts.NONE;
        int settled = settledFromStart();
        for (int i = 0; i < settled; i++) {
            if (records.get(i).position() >= since) {
                counts = counts.plus(fates[i].asCounts());
            }
        }
        return counts.plus(new Counts(0, 0, 0, 0, 0, 0, to() - since - counts.sum()));
    }

    /** The highest versions acknowledged and not written yet, by entity. */
    Map<Long, Long> gates() {
        Map<Long, Long> newer = new HashMap<>();
        for (int i = 0; i < fates.length; i++) {
            if (fates[i] != written[i] && (fates[i] == Fate.APPLIED || fates[i] == Fate.SKIPPED)) {
                newer.put(records.get(i).entityNo(), records.get(i).event().version());
            }
        }
        return newer;
    }

    /** The records set aside and not written yet. */
    List<Aside> aside() {
        List<Aside> aside = new ArrayList<>();
        for (int i = 0; i < fates.length; i++) {
            if (fates[i] == Fate.PARKED && written[i] != Fate.PARKED) {
                LogRecord record = records.get(i);
                aside.add(new Aside(record.entityNo(), record.event().version(), record.position()));
            }
        }
        return aside;
    }

    /** The records acknowledged and not written yet. */
    List<LogRecord> acknowledged() {
        List<LogRecord> acknowledged = new ArrayList<>();
        for (int i = 0; i < fates.length; i++) {
            if (fates[i] != written[i] && (fates[i] == Fate.APPLIED || fates[i] == Fate.SKIPPED)) {
                acknowledged.add(records.get(i));
            }
        }
        return acknowledged;
    }

    /** The last record that is settled and not written yet. */
    Optional<LogRecord> last() {
        for (int i = fates.length - 1; i >= 0; i--) {
            if (fates[i] != written[i]) {
                return Optional.of(records.get(i));
            }
        }
        return Optional.empty();
    }

    /** Returns whether a step would write anything: the cursor moves, or something is settled ahead of it. */
    boolean hasNews(long position) {
        return to() > position || !Arrays.equals(fates, written);
    }

    /** Tells that all of it is written. */
    void wrote() {
        System.arraycopy(fates, 0, written, 0, fates.length);
    }

    /** What is settled ahead of where the cursor may stand, by position. */
    Map<Long, Fate> ahead() {
        long to = to();
        Map<Long, Fate> ahead = new HashMap<>();
        for (int i = 0; i < fates.length; i++) {
            if (records.get(i).position() > to && fates[i] != Fate.PENDING) {
                ahead.put(records.get(i).position(), fates[i]);
            }
        }
        return ahead;
    }
}
