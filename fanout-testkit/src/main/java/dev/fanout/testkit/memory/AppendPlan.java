// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.EntityRef;
import dev.fanout.VersionConflictException;
import dev.fanout.spi.Appends.EntityAppend;
import dev.fanout.spi.Appends.NewEvent;
import dev.fanout.spi.Appends.Result;
import dev.fanout.spi.Appends.Route;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a batch is going to write. It decides about every append of the batch before any of them is written, so that a
 * refusal leaves the transaction as it was. All entities are locked by then: what is read here is the newest.
 */
final class AppendPlan {

    private final MemoryTransaction transaction;
    private final Instant now;
    private final EntityTable table;
    private final EntityTable.Writes planned = new EntityTable.Writes();

    AppendPlan(MemoryTransaction transaction, Instant now) {
        this.transaction = transaction;
        this.now = now;
        this.table = transaction.database.entities;
    }

    Result add(EntityAppend append) {
        Optional<Result> repeated = append.key().flatMap(key -> repeated(append.entity(), key));
        return repeated.orElseGet(() -> write(append));
    }

    /** Hands the writes to the transaction, and draws the outbox ids: after the locks, in version order per entity. */
    void write() {
        transaction.entities.addAll(planned);
        planned.events.forEach(event -> transaction.database.outbox.draw(transaction.outbox, event));
    }

    private Optional<Result> repeated(EntityRef entity, String key) {
        EntityTable.Key wanted = new EntityTable.Key(entity, key);
        return Optional.ofNullable(planned.keys.get(wanted))
                .or(() -> Optional.ofNullable(transaction.entities.keys.get(wanted)))
                .or(() -> table.key(wanted))
                .map(Result.class::cast);
    }

    private Result write(EntityAppend append) {
        Optional<EntityTable.Row> before = row(append.entity());
        check(append, before);
        long no = before.map(EntityTable.Row::no).orElseGet(table::nextNo);
        List<EventRow> events = events(append, no, version(before));
        long version = events.get(events.size() - 1).version();
        planned.events.addAll(events);
        planned.rows.put(append.entity(), after(append, before, no, version));
        append.key().ifPresent(key -> planned.keys.put(new EntityTable.Key(append.entity(), key), repeat(events)));
        return new Result.Written(version);
    }

    private static void check(EntityAppend append, Optional<EntityTable.Row> before) {
        long version = version(before);
        append.expecting().ifPresent(expected -> {
            if (expected != version) {
                throw new VersionConflictException(append.entity(), expected, version, "version");
            }
        });
        OptionalLong source = before.map(EntityTable.Row::sourceVersion).orElse(OptionalLong.empty());
        append.sourceVersion().ifPresent(given -> {
            if (source.isPresent() && given <= source.getAsLong()) {
                throw new VersionConflictException(append.entity(), given, source.getAsLong(), "source version");
            }
        });
    }

    private List<EventRow> events(EntityAppend append, long no, long version) {
        List<EventRow> events = new ArrayList<>();
        for (NewEvent event : append.events()) {
            events.add(new EventRow(append.entity(), no, version + events.size() + 1, event, now));
        }
        return events;
    }

    private static EntityTable.Row after(EntityAppend append, Optional<EntityTable.Row> before, long no, long version) {
        OptionalLong source = append.sourceVersion().isPresent()
                ? append.sourceVersion()
                : before.map(EntityTable.Row::sourceVersion).orElse(OptionalLong.empty());
        boolean deleted = append.events().get(append.events().size() - 1).deleted();
        return new EntityTable.Row(no, version, source, state(append, before, deleted), deleted);
    }

    /** A tombstone clears the state that was before it; an entity whose newest event is one has none at all. */
    private static Optional<String> state(EntityAppend append, Optional<EntityTable.Row> before, boolean deleted) {
        if (deleted) {
            return Optional.empty();
        }
        boolean cleared = append.events().stream().anyMatch(NewEvent::deleted);
        return append.state().or(() -> cleared ? Optional.empty() : before.flatMap(EntityTable.Row::state));
    }

    private Optional<EntityTable.Row> row(EntityRef entity) {
        return Optional.ofNullable(planned.rows.get(entity))
                .or(() -> Optional.ofNullable(transaction.entities.rows.get(entity)))
                .or(() -> table.row(entity));
    }

    private static long version(Optional<EntityTable.Row> row) {
        return row.map(EntityTable.Row::version).orElse(0L);
    }

    /** What a later append with the same key is answered. */
    private static Result.Repeated repeat(List<EventRow> events) {
        Set<Integer> streams =
                events.get(0).facts().routes().stream().map(Route::stream).collect(Collectors.toSet());
        return new Result.Repeated(events.stream().map(EventRow::id).toList(), streams);
    }
}
