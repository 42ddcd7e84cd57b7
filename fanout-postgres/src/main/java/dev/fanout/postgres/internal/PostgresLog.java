// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.spi.Log;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.StreamPartition;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads slabs of published streams, each in one statement: a read of several would skip what is removed between two. */
public final class PostgresLog implements Log {

    private final Database database;

    /**
     * Makes the log.
     *
     * @param database the shared parts of the store
     */
    public PostgresLog(Database database) {
        this.database = database;
    }

    @Override
    public List<LogRecord> read(StreamPartition partition, long from, int limit, long bytes) {
        String sql = database.statements().chain("plan-by-index", "read-log");
        return database.sessions().autocommit("reading the log", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                Parameters.of(statement)
                        .add(partition.stream())
                        .add(partition.partition())
                        .add(from)
                        .add(limit)
                        .add(bytes);
                try (ResultSet rows = Answers.of(statement).skip(1).rows()) {
                    return records(rows);
                }
            } catch (SQLException e) {
                throw SqlFailures.ofReading("reading the log", e);
            }
        });
    }

    private List<LogRecord> records(ResultSet rows) throws SQLException {
        EventRows events = new EventRows(database.codec());
        List<LogRecord> records = new ArrayList<>();
        while (rows.next()) {
            records.add(events.record(rows, 1, rows.getString(14)));
        }
        return records;
    }
}
