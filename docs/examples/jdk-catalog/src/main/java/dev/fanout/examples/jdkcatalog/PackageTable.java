// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.TransactionalProjection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts and sizes per package, in the primary's own database: exactly once.
 *
 * <p>A total is not gated by the version of any one entity. So what each entity adds is kept beside the totals, and an
 * event applies the difference: it takes the old away from the group where it was, and adds the new to the group where
 * it is now.
 */
final class PackageTable implements TransactionalProjection<Connection> {

    /** What an entity adds to its group. */
    private record Member(String packageName, long size) {

        static @Nullable Member after(Event event) {
            if (event.deleted()) {
                return null;
            }
            Asset asset = asset(event);
            return new Member(asset.packageName(), asset.size());
        }
    }

    /** What a slab adds to a group. */
    private record Difference(long classes, long bytes, long changes) {

        static final Difference NONE = new Difference(0, 0, 0);

        Difference plus(long moreClasses, long moreBytes, long moreChanges) {
            return new Difference(classes + moreClasses, bytes + moreBytes, changes + moreChanges);
        }
    }

    @Override
    public Outcome apply(Event event, Connection tx) throws SQLException {
        return apply(List.of(event), tx).get(0);
    }

    @Override
    public List<Outcome> apply(List<Event> slab, Connection tx) throws SQLException {
        Map<String, @Nullable Member> members = members(slab, tx);
        Map<String, Difference> differences = new TreeMap<>();
        for (Event event : slab) {
            Member now = Member.after(event);
            Member before = members.put(event.entity().id(), now);
            move(before, now, differences);
            count(event, differences);
        }
        write(members, tx);
        add(differences, tx);
        return Collections.nCopies(slab.size(), Outcome.applied());
    }

    @Override
    public void reset(Connection tx) throws SQLException {
        try (PreparedStatement empty = Sql.prepare(tx, "empty-packages")) {
            empty.execute();
        }
    }

    private static Asset asset(Event event) {
        return Objects.requireNonNull(event.payload().as(Asset.class), "payload");
    }

    private static void move(@Nullable Member before, @Nullable Member now, Map<String, Difference> differences) {
        if (before != null) {
            add(differences, before.packageName(), -1, -before.size(), 0);
        }
        if (now != null) {
            add(differences, now.packageName(), 1, now.size(), 0);
        }
    }

    private static void count(Event event, Map<String, Difference> differences) {
        add(differences, asset(event).packageName(), 0, 0, 1);
    }

    private static void add(Map<String, Difference> to, String packageName, long classes, long bytes, long changes) {
        to.merge(
                packageName,
                Difference.NONE.plus(classes, bytes, changes),
                (a, b) -> a.plus(b.classes(), b.bytes(), b.changes()));
    }

    private static Map<String, @Nullable Member> members(List<Event> slab, Connection tx) throws SQLException {
        try (PreparedStatement select = Sql.prepare(tx, "select-members")) {
            Object[] ids =
                    slab.stream().map(event -> event.entity().id()).distinct().toArray();
            select.setArray(1, tx.createArrayOf("text", ids));
            Map<String, @Nullable Member> members = new HashMap<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    members.put(rows.getString(1), new Member(rows.getString(2), rows.getLong(3)));
                }
            }
            return members;
        }
    }

    private static void write(Map<String, @Nullable Member> members, Connection tx) throws SQLException {
        try (PreparedStatement upsert = Sql.prepare(tx, "upsert-member");
                PreparedStatement delete = Sql.prepare(tx, "delete-member")) {
            for (Map.Entry<String, @Nullable Member> entry : members.entrySet()) {
                Member member = entry.getValue();
                if (member == null) {
                    delete.setString(1, entry.getKey());
                    delete.addBatch();
                } else {
                    upsert.setString(1, entry.getKey());
                    upsert.setString(2, member.packageName());
                    upsert.setLong(3, member.size());
                    upsert.addBatch();
                }
            }
            upsert.executeBatch();
            delete.executeBatch();
        }
    }

    /** MUST go through the groups in one order: slabs of two partitions share groups, and would deadlock. */
    private static void add(Map<String, Difference> sorted, Connection tx) throws SQLException {
        try (PreparedStatement add = Sql.prepare(tx, "add-to-total")) {
            for (Map.Entry<String, Difference> entry : sorted.entrySet()) {
                Difference difference = entry.getValue();
                add.setString(1, entry.getKey());
                add.setLong(2, difference.classes());
                add.setLong(3, difference.bytes());
                add.setLong(4, difference.changes());
                add.addBatch();
            }
            add.executeBatch();
        }
    }
}
