// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.spi.Log;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.StreamPartition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
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
    public Slab read(StreamPartition partition, long from, int limit, long bytes, Duration delay) {
        return database.sessions()
                .autocommit(
                        "reading the log",
                        connection -> delay.isZero()
                                ? all(connection, partition, from, limit, bytes)
                                : due(connection, partition, from, limit, bytes, delay));
    }

    private Slab all(Connection connection, StreamPartition partition, long from, int limit, long bytes)
            throws SQLException {
        String sql = database.statements().chain("plan-by-index", "read-log");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            place(Parameters.of(statement), partition, from).add(limit).add(bytes);
            try (ResultSet rows = Answers.of(statement).skip(1).rows()) {
                return slab(rows, false);
            }
        } catch (SQLException e) {
            throw SqlFailures.ofReading("reading the log", e);
        }
    }

    private Slab due(Connection connection, StreamPartition partition, long from, int limit, long bytes, Duration delay)
            throws SQLException {
        String sql = database.statements().chain("plan-by-index", "read-due-log");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Parameters parameters = Parameters.of(statement).add(EventRows.micros(delay));
            place(parameters, partition, from).add(limit);
            place(parameters, partition, from).add(bytes).add(limit);
            try (ResultSet rows = Answers.of(statement).skip(1).rows()) {
                return slab(rows, true);
            }
        } catch (SQLException e) {
            throw SqlFailures.ofReading("reading the log", e);
        }
    }

    private static Parameters place(Parameters parameters, StreamPartition partition, long from) throws SQLException {
        return parameters.add(partition.stream()).add(partition.partition()).add(from);
    }

    private Slab slab(ResultSet rows, boolean delayed) throws SQLException {
        EventRows events = new EventRows(database.codec());
        List<LogRecord> records = new ArrayList<>();
        Duration dueIn = null;
        while (rows.next()) {
            long wait = delayed ? rows.getLong(15) : 0;
            if (delayed && !rows.wasNull()) {
                dueIn = Duration.of(wait, ChronoUnit.MICROS);
            } else {
                records.add(events.record(rows, 1, rows.getString(14)));
            }
        }
        return new Slab(records, Optional.ofNullable(dueIn));
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
            } catch (SQLException e) {
                throw SqlFailures.ofReading("reading an event", e);
            }
        });
    }
}
