// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.EntityRef;
import dev.fanout.ParkedEntity;
import dev.fanout.spi.Layout.Attachment;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Parked;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads what is set aside, and writes down what is asked for it; the owner's steps do the rest ({@link AdvanceCall}). */
public final class PostgresParked implements Parked {

    private final Database database;
    private final Sessions sessions;
    private final Statements statements;

    /**
     * Makes the access to parked events.
     *
     * @param database the shared parts of the store
     */
    public PostgresParked(Database database) {
        this.database = database;
        this.sessions = database.sessions();
        this.statements = database.statements();
    }

    @Override
    public List<Request> requests(Attachment attachment, int partition, int limit) {
        return sessions.autocommit("reading requests for parked events", connection -> {
            String sql = statements.chain("plan-by-index", "read-requests");
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                Parameters.of(statement).add(attachment.no()).add(partition).add(limit);
                try (ResultSet rows = Answers.of(statement).skip(1).rows()) {
                    List<Request> requests = new ArrayList<>();
                    while (rows.next()) {
                        requests.add(request(rows));
                    }
                    return requests;
                }
            }
        });
    }

    private static Request request(ResultSet row) throws SQLException {
        EntityRef entity = new EntityRef(row.getString(2), row.getString(3), row.getString(4));
        return new Request(row.getLong(1), entity, Wish.valueOf(row.getString(5)), row.getLong(6));
    }

    @Override
    public List<LogRecord> events(Attachment attachment, long entityNo, int limit, long bytes) {
        return sessions.autocommit("reading parked events", connection -> {
            String sql = statements.chain("plan-by-index", "read-parked-events");
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                Parameters.of(statement)
                        .add(attachment.no())
                        .add(entityNo)
                        .add(limit)
                        .add(bytes);
                try (ResultSet rows = Answers.of(statement).skip(1).rows()) {
                    EventRows events = new EventRows(database.codec());
                    List<LogRecord> records = new ArrayList<>();
                    while (rows.next()) {
                        records.add(events.record(rows, 1, rows.getString(14)));
                    }
                    return records;
                }
            }
        });
    }

    @Override
    public long request(Attachment attachment, Optional<EntityRef> entity, Wish wish) {
        return sessions.<Long, RuntimeException>transaction("asking for parked events", connection -> {
            try (PreparedStatement begin = connection.prepareStatement(statements.get("begin-open"))) {
                begin.execute();
            }
            long asked = ask(connection, attachment, entity.orElse(null), wish);
            if (asked > 0) {
                tell(connection);
            }
            return asked;
        });
    }

    private long ask(Connection connection, Attachment attachment, @Nullable EntityRef entity, Wish wish)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.get("ask-parked"))) {
            Parameters.of(statement)
                    .add(entity == null ? null : entity.tenant())
                    .add(entity == null ? null : entity.type())
                    .add(entity == null ? null : entity.id())
                    .add(attachment.no())
                    .add(entity == null)
                    .add(wish.name());
            return Answers.of(statement).number();
        }
    }

    private void tell(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.get("notify-asked"))) {
            Parameters.of(statement).add(database.wakeNames(connection).asked());
            statement.execute();
        }
    }

    @Override
    public List<ParkedEntity> list(Attachment attachment, int limit) {
        return sessions.autocommit("listing parked entities", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(statements.get("list-parked"))) {
                Parameters.of(statement).add(attachment.no()).add(limit);
                try (ResultSet rows = statement.executeQuery()) {
                    List<ParkedEntity> parked = new ArrayList<>();
                    while (rows.next()) {
                        parked.add(entity(rows));
                    }
                    return parked;
                }
            }
        });
    }

    private static ParkedEntity entity(ResultSet row) throws SQLException {
        return new ParkedEntity(
                new EntityRef(row.getString(1), row.getString(2), row.getString(3)),
                row.getLong(4),
                row.getObject(5, UUID.class),
                row.getString(6),
                row.getInt(7),
                EventRows.instant(row.getLong(8)),
                EventRows.instant(row.getLong(9)),
                row.getLong(10));
    }
}
