// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.Outcome;
import dev.fanout.Settings;
import dev.fanout.internal.step.Backoff;
import dev.fanout.spi.Cursors.Blocked;
import dev.fanout.spi.LogRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The entities of a child's partition whose event keeps failing, and how long each is left alone. Tells a broken event from
 * a broken store: an event is at fault if it failed again although others of the child succeeded since it first did.
 *
 * <p>States of an entity: flowing → held (tried again after pauses that grow) → flowing, or parked.
 */
final class Held {

    private final Health health;
    private final Settings settings;
    private final Backoff backoff;
    private final Map<Long, Failing> failing = new HashMap<>();

    private static final class Failing {
        private final LogRecord record;
        private final long since;
        private final long successesBefore;
        private int attempts;
        private int faults = 1;
        private long triedAt;
        private long retryAt;
        private Outcome refusal;

        Failing(LogRecord record, long now, long successes, Outcome refusal) {
            this.record = record;
            this.since = now;
            this.successesBefore = successes;
            this.refusal = refusal;
        }
    }

    /**
     * An entity that is to be set aside.
     *
     * @param record the event that failed
     * @param attempts how often it was tried
     * @param refusal what was said of it last
     */
    record Poison(LogRecord record, int attempts, Outcome refusal) {

        Blocked blocked() {
            return new Blocked(record.entityNo(), record.event().version(), Answers.why(refusal), attempts);
        }
    }

    /**
     * Holds nothing.
     *
     * @param health what the child did lately, in all its partitions here
     * @param settings the numbers
     * @param backoff how pauses grow
     */
    Held(Health health, Settings settings, Backoff backoff) {
        this.health = health;
        this.settings = settings;
        this.backoff = backoff;
    }

    /** The entities that are left alone now. */
    Set<Long> waiting(long now) {
        return failing.entrySet().stream()
                .filter(one -> one.getValue().retryAt - now > 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Notes that an event failed. */
    void failed(LogRecord record, Outcome refusal, long now) {
        Failing known = failing.get(record.entityNo());
        if (known == null || known.record.position() != record.position()) {
            known = new Failing(record, now, health.successes(), refusal);
            failing.put(record.entityNo(), known);
        }
        known.attempts++;
        known.faults += health.isAtFault(known.successesBefore) ? 1 : 0;
        known.refusal = refusal;
        known.triedAt = now;
        known.retryAt = now + backoff.pause(known.attempts).toNanos();
    }

    /** Notes that an entity flows again. */
    boolean succeeded(long entity) {
        return failing.remove(entity) != null;
    }

    /**
     * Takes out the entities that failed just now and for which another attempt is not worth while.
     *
     * @param since when the attempts began
     * @param now the time
     * @param alone whether nothing else was there to be delivered, so that nothing else could succeed
     */
    List<Poison> takePoison(long since, long now, boolean alone) {
        List<Poison> poison = new ArrayList<>();
        failing.values().removeIf(one -> {
            if (one.triedAt - since < 0 || !isPoison(one, now, alone)) {
                return false;
            }
            poison.add(new Poison(one.record, one.attempts, one.refusal));
            return true;
        });
        return poison;
    }

    private boolean isPoison(Failing one, long now, boolean alone) {
        if (Answers.isHopeless(one.refusal)) {
            return true;
        }
        return one.faults >= settings.attempts()
                || (alone
                        && failing.size() == 1
                        && now - one.since >= settings.undecidedFor().toNanos());
    }

    /** How long until the first of them is to be tried again. */
    Optional<Duration> next(long now) {
        return failing.values().stream()
                .map(one -> Duration.ofNanos(Math.max(0, one.retryAt - now)))
                .min(Duration::compareTo);
    }

    /** How often the most stubborn one has been tried. */
    int attempts() {
        return failing.values().stream().mapToInt(one -> one.attempts).max().orElse(0);
    }

    boolean isEmpty() {
        return failing.isEmpty();
    }

    void clear() {
        failing.clear();
    }
}
