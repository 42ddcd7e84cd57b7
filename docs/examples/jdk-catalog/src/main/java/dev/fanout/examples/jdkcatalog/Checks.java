// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Compares the derived stores with the application's own table, by SQL on that table and by reading the index from disk.
 * Nothing of the library takes part: neither its tables nor its counters.
 */
final class Checks {

    private final DataSource dataSource;
    private final Path index;
    private final Report report;

    Checks(DataSource dataSource, Path index, Report report) {
        this.dataSource = dataSource;
        this.index = index;
        this.report = report;
    }

    /** Claims that both derived stores are where the primary is. */
    void storesAgree() throws SQLException, IOException {
        Set<String> different = IndexContents.read(index).differences(rows());
        different.stream().limit(3).forEach(id -> report.say("the index differs in %s", id));
        report.claim("documents of the index that differ from their rows", 0L, (long) different.size());
        report.claim("entities whose part in \"packages\" differs from their rows", 0L, number("check-members"));
        report.claim("packages whose totals differ from the sums of the rows", 0L, number("check-totals"));
        report.claim("events in effect in \"packages\", of as many versions", versions(), number("sum-changes"));
    }

    /** Claims that every change was made to what its writer had read. */
    void noLostUpdates() throws SQLException {
        report.claim("rows whose version differs from 1 + the changes they count", 0L, number("count-odd-versions"));
    }

    long assets() throws SQLException {
        return number("count-assets");
    }

    /** Counts the events that there must have been. */
    long versions() throws SQLException {
        return number("sum-versions");
    }

    long edits() throws SQLException {
        return number("sum-edits");
    }

    /** Counts the assets with these words in their names, without the index. */
    long named(List<String> words, String kind) throws SQLException {
        Object[] patterns = words.stream().map(word -> word + "(?![a-z])").toArray();
        return number("count-named", (connection, select) -> {
            select.setArray(1, connection.createArrayOf("text", patterns));
            select.setString(2, kind);
        });
    }

    /** Counts which of the entities "packages" has in a group. */
    long members(Collection<String> ids, String packageName) throws SQLException {
        return number("count-members", (connection, select) -> {
            select.setArray(1, connection.createArrayOf("text", ids.toArray()));
            select.setString(2, packageName);
        });
    }

    /** Counts which of the entities the index has in these versions. */
    long documents(Map<String, Long> versions) throws IOException {
        return IndexContents.read(index).count(versions);
    }

    /** Claims that a child was delivered every version of every asset, once and in order. */
    void trailIsWhole(String child) throws SQLException {
        report.claim("deliveries to \"" + child + "\", of as many versions", versions(), deliveries(child));
        report.claim(
                "assets whose versions were not delivered to it once each", 0L, of("count-unlike-deliveries", child));
        trailIsInOrder(child);
    }

    /** Claims that each version that a child was delivered followed on the one before. */
    void trailIsInOrder(String child) throws SQLException {
        report.claim("deliveries to \"" + child + "\" out of order", 0L, of("count-disorder", child));
    }

    /** Claims that no change came to a child before its time, by the clock of the database. */
    void noneEarly(String child, Duration delay) throws SQLException {
        long early = number("count-early", (connection, select) -> {
            select.setString(1, child);
            select.setLong(2, delay.toMillis());
        });
        report.claim("deliveries to \"" + child + "\" before " + delay.toMillis() + " ms were over", 0L, early);
    }

    long deliveries(String child) throws SQLException {
        return of("count-deliveries", child);
    }

    long deliveries(String child, String id) throws SQLException {
        return number("count-deliveries-of", (connection, select) -> {
            select.setString(1, child);
            select.setString(2, id);
        });
    }

    private long of(String statement, String child) throws SQLException {
        return number(statement, (connection, select) -> select.setString(1, child));
    }

    private Map<String, Assets.Row> rows() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement select = Sql.prepare(connection, "select-all-assets");
                ResultSet found = select.executeQuery()) {
            Map<String, Assets.Row> rows = new HashMap<>();
            while (found.next()) {
                Assets.Row row = Assets.Row.of(found);
                rows.put(row.asset().id(), row);
            }
            return rows;
        }
    }

    private interface Parameters {
        void set(Connection connection, PreparedStatement select) throws SQLException;
    }

    private long number(String statement) throws SQLException {
        return number(statement, (connection, select) -> {});
    }

    private long number(String statement, Parameters parameters) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement select = Sql.prepare(connection, statement)) {
            parameters.set(connection, select);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
