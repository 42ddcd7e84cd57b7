// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import dev.fanout.Append;
import dev.fanout.Appended;
import dev.fanout.Fanout;
import dev.fanout.VersionConflictException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * The application: its own table, and with each change of a row the event that tells of it, in one transaction of plain
 * JDBC. Nothing here knows who listens.
 *
 * <p>In each transaction the append comes first. It takes the entities' locks in a fixed order and checks the versions
 * expected, so that whoever gets past it may write the rows.
 */
final class Assets {

    static final String TYPE = "asset";

    private final DataSource dataSource;
    private final Fanout<Connection> fanout;
    private final AtomicLong appended = new AtomicLong();

    Assets(DataSource dataSource, Fanout<Connection> fanout) {
        this.dataSource = dataSource;
        this.fanout = fanout;
    }

    /** A row as it was read: what a change is decided on. */
    record Row(Asset asset, boolean retired, long edits, long version) {

        Change to(Asset after) {
            return new Change(this, after, false);
        }

        Change toRetired() {
            return new Change(this, asset, true);
        }

        static Row of(ResultSet row) throws SQLException {
            Asset asset = new Asset(
                    row.getString("id"),
                    row.getString("module"),
                    row.getString("package_name"),
                    row.getString("name"),
                    row.getString("kind"),
                    row.getInt("size"));
            return new Row(asset, row.getBoolean("retired"), row.getLong("edits"), row.getLong("version"));
        }
    }

    /** A change, and what it was decided on. */
    record Change(Row before, Asset after, boolean retired) {

        Append append() {
            Append append = Append.to(TYPE, after.id()).expecting(before.version());
            return retired ? append.deleted("asset.retired", after) : append.event("asset.changed", after);
        }
    }

    /** Adds assets, all or none. */
    List<Appended> add(List<Asset> found) throws SQLException {
        return inTransaction(tx -> {
            List<Appended> events = fanout.append(
                    tx,
                    found.stream()
                            .map(asset ->
                                    Append.to(TYPE, asset.id()).expecting(0).event("asset.found", asset))
                            .toList());
            insert(tx, found, events);
            return events;
        });
    }

    /**
     * Writes changes, all or none.
     *
     * @throws VersionConflictException if one was decided on a row that has changed since; all is rolled back
     */
    List<Appended> write(List<Change> changes) throws SQLException {
        return inTransaction(tx -> {
            List<Appended> events =
                    fanout.append(tx, changes.stream().map(Change::append).toList());
            update(tx, changes, events);
            return events;
        });
    }

    /** Writes a change. */
    Appended write(Change change) throws SQLException {
        return write(List.of(change)).get(0);
    }

    /** Reads assets and changes them all, with no one else about. */
    List<Appended> changeAll(Collection<String> ids, UnaryOperator<Asset> change) throws SQLException {
        return write(
                read(ids).stream().map(row -> row.to(change.apply(row.asset()))).toList());
    }

    Row read(String id) throws SQLException {
        return read(List.of(id)).get(0);
    }

    List<Row> read(Collection<String> ids) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement select = Sql.prepare(connection, "select-assets")) {
            select.setArray(1, connection.createArrayOf("text", ids.toArray()));
            List<Row> rows = new ArrayList<>();
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    rows.add(Row.of(found));
                }
            }
            return rows;
        }
    }

    /** How many events this process has committed. */
    long appended() {
        return appended.get();
    }

    private static void insert(Connection tx, List<Asset> found, List<Appended> events) throws SQLException {
        try (PreparedStatement insert = Sql.prepare(tx, "insert-asset")) {
            for (int i = 0; i < found.size(); i++) {
                Asset asset = found.get(i);
                insert.setString(1, asset.id());
                insert.setString(2, asset.module());
                insert.setString(3, asset.packageName());
                insert.setString(4, asset.name());
                insert.setString(5, asset.kind());
                insert.setInt(6, asset.size());
                insert.setLong(7, events.get(i).version());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private static void update(Connection tx, List<Change> changes, List<Appended> events) throws SQLException {
        try (PreparedStatement update = Sql.prepare(tx, "update-asset")) {
            for (int i = 0; i < changes.size(); i++) {
                Change change = changes.get(i);
                update.setString(1, change.after().packageName());
                update.setInt(2, change.after().size());
                update.setBoolean(3, change.retired());
                // from the row that was read, not from the row as it is: a lost update would show
                update.setLong(4, change.before().edits() + 1);
                update.setLong(5, events.get(i).version());
                update.setString(6, change.after().id());
                update.addBatch();
            }
            update.executeBatch();
        }
    }

    private interface Work {
        List<Appended> in(Connection tx) throws SQLException;
    }

    private List<Appended> inTransaction(Work work) throws SQLException {
        try (Connection tx = dataSource.getConnection()) {
            tx.setAutoCommit(false);
            List<Appended> events = committed(tx, work);
            fanout.committed();
            appended.addAndGet(events.size());
            return events;
        }
    }

    private static List<Appended> committed(Connection tx, Work work) throws SQLException {
        try {
            List<Appended> events = work.in(tx);
            tx.commit();
            return events;
        } catch (SQLException | RuntimeException failed) {
            // after a conflict too: the transaction may hold what was decided on a stale version
            tx.rollback();
            throw failed;
        }
    }
}
