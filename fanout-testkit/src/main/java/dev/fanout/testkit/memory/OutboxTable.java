// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.spi.Appends.Route;
import dev.fanout.spi.Frontier;
import dev.fanout.spi.StreamPartition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is committed and not yet published, by lane and id, with the frontiers that relays left behind. */
final class OutboxTable {

    private final Map<Integer, SortedMap<Long, Row>> lanes = new HashMap<>();
    private final Map<Integer, Long> sequences = new HashMap<>();
    private final Map<Integer, Frontier> frontiers = new HashMap<>();

    /** One event on its way to one stream. */
    record Row(long id, int lane, StreamPartition to, EventRow event) {}

    /** What one transaction wrote. */
    static final class Writes {

        private final List<Row> rows = new ArrayList<>();
    }

    /** Draws an id for each route. The sequence does not roll back, and its order is the order of the draws. */
    void draw(Writes writes, EventRow event) {
        for (Route route : event.facts().routes()) {
            writes.rows.add(draw(event, route));
        }
    }

    /** Draws one id. */
    Row draw(EventRow event, Route route) {
        long id = sequences.merge(route.lane(), 1L, Long::sum);
        return new Row(id, route.lane(), new StreamPartition(route.stream(), route.partition()), event);
    }

    void commit(Writes writes) {
        writes.rows.forEach(this::commit);
    }

    void commit(Row row) {
        lane(row.lane()).put(row.id(), row);
    }

    /** Counts the rows that wait for a stream. */
    long count(int stream) {
        return lanes.values().stream()
                .flatMap(rows -> rows.values().stream())
                .filter(row -> row.to().stream() == stream)
                .count();
    }

    /** The rows of a lane, by ascending id. */
    List<Row> rows(int lane) {
        return List.copyOf(lane(lane).values());
    }

    /** The rows beyond the frontier and in the ranges missing below it, by ascending id. */
    List<Row> rows(int lane, Frontier frontier) {
        SortedMap<Long, Row> rows = lane(lane);
        List<Row> found = new ArrayList<>();
        frontier.missing()
                .forEach(range ->
                        found.addAll(rows.subMap(range.from(), range.to() + 1).values()));
        found.addAll(rows.tailMap(frontier.mark() + 1).values());
        return found;
    }

    void remove(Row row) {
        lane(row.lane()).remove(row.id());
    }

    Frontier frontier(int lane) {
        return frontiers.getOrDefault(lane, Frontier.START);
    }

    void frontier(int lane, Frontier frontier) {
        frontiers.put(lane, frontier);
    }

    private SortedMap<Long, Row> lane(int lane) {
        return lanes.computeIfAbsent(lane, n -> new TreeMap<>());
    }
}
