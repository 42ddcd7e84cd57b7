// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.spi.Log;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.StreamPartition;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

    @Override
    public Optional<Event> event(EntityRef entity, long version) {
        String sql = database.statements().get("read-event");
        return database.sessions().autocommit("reading an event", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                Parameters.of(statement)
                        .add(entity.tenant())
                        .add(entity.type())
                        .add(entity.id())
                        .add(version);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next()
                            ? Optional.of(new EventRows(database.codec())
                                    .record(row, 1, row.getString(14))
                                    .event())
                            : Optional.empty();
                }
            }
        });
    }
}
