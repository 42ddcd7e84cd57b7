// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.EntityRef;
import dev.fanout.ParkedEntity;
import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Aside;
import dev.fanout.spi.Cursors.Blocked;
import dev.fanout.spi.Cursors.Freed;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Leases;
import dev.fanout.spi.Parked.Request;
import dev.fanout.spi.Parked.Wish;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Entities that are set aside, and their events. */
final class ParkedTable {

    private final Map<Key, Row> entities = new HashMap<>();
    private final Map<Key, NavigableMap<Long, LogTable.Row>> events = new HashMap<>();
    private long asked;

    private record Key(int attachment, long entity) {}

    /** What is asked of one, in the order of asking. */
    private record Asked(long nth, Wish wish, long upTo) {}

    private record Row(
            Key key,
            int partition,
            Blocked why,
            int attempts,
            Instant parkedAt,
            Instant lastTriedAt,
            @Nullable Asked asked) {

        Row again(Blocked other, Instant now) {
            return new Row(key, partition, other, attempts + other.attempts(), parkedAt, now, null);
        }

        Row asked(Asked what) {
            return new Row(key, partition, why, attempts, parkedAt, lastTriedAt, what);
        }
    }

    boolean isParked(Layout.Attachment attachment, long entity) {
        return entities.containsKey(new Key(attachment.no(), entity));
    }

    /** Removes what belongs to attachments that are over. */
    long sweep(IntPredicate over) {
        long before = (long) entities.size() + events.size();
        entities.keySet().removeIf(key -> over.test(key.attachment()));
        events.keySet().removeIf(key -> over.test(key.attachment()));
        return before - entities.size() - events.size();
    }

    /** Where something is asked for. */
    Set<Leases.Asked> asked() {
        return entities.values().stream()
                .filter(row -> row.asked() != null)
                .map(row -> new Leases.Asked(row.key().attachment(), row.partition()))
                .collect(Collectors.toSet());
    }

    void advance(Advance step, Instant now, EntityTable stored, LogTable log) {
        for (Blocked one : step.parking().blocked()) {
            Key key = new Key(step.attachment().no(), one.entityNo());
            Row known = entities.get(key);
            Row row = new Row(key, step.partition(), one, one.attempts(), now, now, null);
            entities.put(key, known == null ? row : known.again(one, now));
        }
        for (Aside aside : step.parking().parked()) {
            park(step, aside, now, stored, log);
        }
        for (Freed freed : step.parking().freed()) {
            Key key = new Key(step.attachment().no(), freed.entityNo());
            events(key).headMap(freed.version(), true).clear();
            if (freed.unblocked()) {
                entities.remove(key);
            }
        }
    }

    private void park(Advance step, Aside aside, Instant now, EntityTable stored, LogTable log) {
        Instant committedAt = log.at(step.attachment().stream(), step.partition(), aside.position())
                .map(LogTable.Row::committedAt)
                .orElse(now);
        stored.event(aside.entityNo(), aside.version())
                .ifPresent(event -> events(new Key(step.attachment().no(), aside.entityNo()))
                        .putIfAbsent(aside.version(), new LogTable.Row(aside.position(), committedAt, event)));
    }

    List<Request> requests(
            Layout.Attachment attachment, int partition, int limit, LongFunction<Optional<EntityRef>> names) {
        return rows(attachment)
                .filter(row -> row.partition() == partition && row.asked() != null)
                .sorted(Comparator.comparingLong(row -> nth(row)))
                .limit(limit)
                .flatMap(row -> request(row, names).stream())
                .toList();
    }

    private static long nth(Row row) {
        Asked what = row.asked();
        return what == null ? 0 : what.nth();
    }

    private static Optional<Request> request(Row row, LongFunction<Optional<EntityRef>> names) {
        Asked what = row.asked();
        long entity = row.key().entity();
        return what == null
                ? Optional.empty()
                : names.apply(entity).map(name -> new Request(entity, name, what.wish(), what.upTo()));
    }

    Collection<LogTable.Row> events(Layout.Attachment attachment, long entity) {
        return events(new Key(attachment.no(), entity)).values();
    }

    Optional<LogTable.Row> event(Layout.Attachment attachment, long entity, long version) {
        return Optional.ofNullable(events(new Key(attachment.no(), entity)).get(version));
    }

    /** Asks something of one entity, or of all; returns how many these are. */
    long request(Layout.Attachment attachment, Optional<Long> entity, Wish wish) {
        List<Row> meant = rows(attachment)
                .filter(row -> entity.isEmpty() || entity.get() == row.key().entity())
                .sorted(Comparator.comparingLong(row -> row.key().entity()))
                .toList();
        for (Row row : meant) {
            NavigableMap<Long, LogTable.Row> waiting = events(row.key());
            long upTo = waiting.isEmpty() ? row.why().version() : waiting.lastKey();
            entities.put(row.key(), row.asked(new Asked(asked++, wish, upTo)));
        }
        return meant.size();
    }

    List<ParkedEntity> list(Layout.Attachment attachment, int limit, EntityTable stored) {
        return rows(attachment)
                .sorted(Comparator.comparing(Row::parkedAt)
                        .thenComparingLong(row -> row.key().entity()))
                .limit(limit)
                .flatMap(row -> listed(row, stored).stream())
                .toList();
    }

    private Optional<ParkedEntity> listed(Row row, EntityTable stored) {
        Blocked why = row.why();
        return stored.event(why.entityNo(), why.version())
                .map(event -> new ParkedEntity(
                        event.entity(),
                        why.version(),
                        event.facts().id(),
                        why.cause(),
                        row.attempts(),
                        row.parkedAt(),
                        row.lastTriedAt(),
                        events(row.key()).size()));
    }

    private Stream<Row> rows(Layout.Attachment attachment) {
        return entities.values().stream().filter(row -> row.key().attachment() == attachment.no());
    }

    private NavigableMap<Long, LogTable.Row> events(Key key) {
        return events.computeIfAbsent(key, k -> new TreeMap<>());
    }
}
