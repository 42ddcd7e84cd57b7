// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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
        report.claim(
                "events in effect in \"packages\", of as many versions", number("sum-versions"), number("sum-changes"));
    }

    /** Claims that every change was made to what its writer had read. */
    void noLostUpdates() throws SQLException {
        report.claim("rows whose version differs from 1 + the changes they count", 0L, number("count-odd-versions"));
    }

    long assets() throws SQLException {
        return number("count-assets");
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
