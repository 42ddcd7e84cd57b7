// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.Outcome;
import dev.fanout.Settings;
import dev.fanout.internal.cursor.Delivery.Handed;
import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Blocked;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Cursors.Freed;
import dev.fanout.spi.Cursors.Gate;
import dev.fanout.spi.Cursors.Parking;
import dev.fanout.spi.Layout.Attachment;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Parked;
import dev.fanout.spi.Parked.Request;
import dev.fanout.spi.Parked.Wish;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what people ask for parked events, a page at a time, within the loop of the partition's owner: while it does,
 * the cursor parks nothing behind them.
 *
 * <p>States of an entity: parked → asked for → replayed in order: flowing if all of it went well, otherwise parked again with
 * the new cause, and without what was acknowledged.
 *
 * @param <T> the transaction handle of the store
 */
final class Replay<T> {

    private final Attachment attachment;
    private final int partition;
    private final Parked parked;
    private final Drive<T> drive;
    private final Delivery<T> delivery;
    private final Settings settings;
    private final Ledger<T> ledger;
    private final BiConsumer<Advance, List<LogRecord>> written;

    /**
     * Makes the replay of a partition.
     *
     * @param written hears of each step written and of the events that it acknowledged
     */
    Replay(
            Attachment attachment,
            int partition,
            Parked parked,
            Drive<T> drive,
            Delivery<T> delivery,
            Settings settings,
            Ledger<T> ledger,
            BiConsumer<Advance, List<LogRecord>> written) {
        this.attachment = attachment;
        this.partition = partition;
        this.parked = parked;
        this.drive = drive;
        this.delivery = delivery;
        this.settings = settings;
        this.ledger = ledger;
        this.written = written;
    }

    /**
     * What a page came to.
     *
     * @param worked whether anything was asked for, so that there may be more
     * @param refusal what the projection refused with, if it did
     */
    record Page(boolean worked, Optional<Outcome> refusal) {

        private static final Page NONE = new Page(false, Optional.empty());
        private static final Page DONE = new Page(true, Optional.empty());
    }

    /** Does one page of the oldest request. */
    Page next() throws Exception {
        List<Request> requests = parked.requests(attachment, partition, 1);
        if (requests.isEmpty()) {
            return Page.NONE;
        }
        Request request = requests.get(0);
        long entity = request.entityNo();
        List<LogRecord> events = parked.events(attachment, entity, settings.slabRecords(), settings.slabBytes());
        if (events.isEmpty()) {
            write(freeing(new Freed(entity, Long.MAX_VALUE, true)), Counts.NONE, Map.of(), List.of());
            return Page.DONE;
        }
        if (request.wish() == Wish.DISCARD && events.get(0).event().version() <= request.upTo()) {
            discard(request, events);
            return Page.DONE;
        }
        return deliver(entity, events);
    }

    private void discard(Request request, List<LogRecord> events) {
        List<LogRecord> meant = events.stream()
                .filter(event -> event.event().version() <= request.upTo())
                .toList();
        long last = meant.get(meant.size() - 1).event().version();
        long passed = meant.stream().filter(this::isPassed).count();
        Counts counts = new Counts(0, 0, 0, 0, -passed, passed, 0);
        write(freeing(new Freed(request.entityNo(), last, false)), counts, Map.of(), List.of());
    }

    private Page deliver(long entity, List<LogRecord> events) throws Exception {
        Gate gate = new Gate(ledger.gate(entity).version(), false);
        Sifted sifted = sift(events);
        SlabPlan plan = new SlabPlan(sifted.readable(), sifted.filtered(), Map.of(entity, gate), Set.of(), false);
        PageSteps steps = new PageSteps(entity, events, plan);
        Outcome refusal = sifted.failure();
        if (!plan.due().isEmpty()) {
            List<Handed> handed = delivery.hand(plan, plan.due(), steps);
            refusal = handed.stream()
                    .map(one -> one.answers().refusal())
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(refusal);
        }
        steps.finish(refusal);
        return new Page(true, Optional.ofNullable(refusal));
    }

    /**
     * What the child's filter says of parked events: it may be what failed, and events that queued up were never shown to it.
     *
     * @param readable the events before the first that it fails for
     * @param filtered those of them that it keeps out, by position
     * @param failure what it failed with
     */
    private record Sifted(
            List<LogRecord> readable,
            Map<Long, Fate> filtered,
            @Nullable Outcome failure) {}

    private Sifted sift(List<LogRecord> events) {
        Map<Long, Fate> filtered = new HashMap<>();
        for (int i = 0; i < events.size(); i++) {
            try {
                if (!drive.passes(events.get(i).event())) {
                    filtered.put(events.get(i).position(), Fate.FILTERED);
                }
            } catch (RuntimeException | Error failure) {
                return new Sifted(events.subList(0, i), filtered, Outcome.failed(failure));
            }
        }
        return new Sifted(events, filtered, null);
    }

    private static Parking freeing(Freed freed) {
        return new Parking(List.of(), List.of(), List.of(freed));
    }

    private void write(Parking parking, Counts counts, Map<Long, Long> gates, List<LogRecord> acknowledged) {
        Advance step = ledger.step(ledger.at().position(), counts, gates, parking, List.of(), Optional.empty());
        ledger.write(step);
        written.accept(step, acknowledged);
    }

    /** The cursor counts a record when it passes it; one that was parked ahead of it is not counted as parked yet. */
    private boolean isPassed(LogRecord record) {
        return record.position() < ledger.at().position();
    }

    /** The steps of one page: all that is settled from its beginning is no longer parked. */
    private final class PageSteps implements Steps {
        private final long entity;
        private final List<LogRecord> events;
        private final SlabPlan plan;
        private int freed;

        PageSteps(long entity, List<LogRecord> events, SlabPlan plan) {
            this.entity = entity;
            this.events = events;
            this.plan = plan;
        }

        @Override
        public Advance next() {
            return step(List.of());
        }

        private Advance step(List<Blocked> blocked) {
            int settled = plan.settledFromStart();
            List<Freed> done = settled == freed
                    ? List.of()
                    : List.of(new Freed(entity, events.get(settled - 1).event().version(), false));
            return ledger.step(
                    ledger.at().position(),
                    counts(settled),
                    plan.gates(),
                    new Parking(blocked, List.of(), done),
                    drive.forwarded(plan.acknowledged()),
                    Optional.empty());
        }

        private Counts counts(int settled) {
            Counts counts = Counts.NONE;
            for (int i = freed; i < settled; i++) {
                if (isPassed(events.get(i))) {
                    counts = counts.plus(plan.fate(i).asCounts()).plus(new Counts(0, 0, 0, 0, -1, 0, 0));
                }
            }
            return counts;
        }

        @Override
        public void written(Advance step) {
            List<LogRecord> acknowledged = plan.acknowledged();
            int settled = plan.settledFromStart();
            for (int i = freed; i < settled; i++) {
                if (!isPassed(events.get(i))) {
                    ledger.ahead().put(events.get(i).position(), plan.fate(i));
                }
            }
            freed = settled;
            plan.wrote();
            ledger.written(step);
            written.accept(step, acknowledged);
        }

        /** A request whose event was refused is answered, but for one that is only to be tried later. */
        void finish(@Nullable Outcome refusal) {
            int settled = plan.settledFromStart();
            List<Blocked> blocked = refusal == null || refusal instanceof Outcome.Retry
                    ? List.of()
                    : List.of(new Blocked(entity, events.get(settled).event().version(), Answers.why(refusal), 1));
            if (settled > freed || !blocked.isEmpty()) {
                Advance step = step(blocked);
                ledger.writeOnly(step);
                written(step);
            }
        }
    }
}
