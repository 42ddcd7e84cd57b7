// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.postgres.internal.Attaching.LockedStream;
import dev.fanout.spi.Attachments;
import dev.fanout.spi.Declaration;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Children that come and go.
 *
 * <p>A child has one row at a time. It is <i>attached</i>, <i>paused</i>, or <i>detached</i>; to attach it again removes the detached
 * row and makes another, with a number that was never used: so a cursor, a gate or a parked event of before belongs to a number that
 * nobody reads any more, and what still acts under it finds its token raised and its epoch over.
 */
public final class PostgresAttachments implements Attachments {

    private static final List<String> SWEEPS =
            List.of("sweep-cursors", "sweep-gates", "sweep-parked-events", "sweep-parked-entities");

    private final Database database;
    private final Sessions sessions;
    private final Statements statements;
    private final Registry registry;
    private final Attaching attaching;

    /**
     * Makes the attachments.
     *
     * @param database the shared parts of the store
     */
    public PostgresAttachments(Database database) {
        this.database = database;
        this.sessions = database.sessions();
        this.statements = database.statements();
        this.registry = new Registry(statements);
        this.attaching = new Attaching(statements);
    }

    @Override
    public List<Stored> all() {
        return sessions.autocommit("reading children", registry::children);
    }

    @Override
    public boolean attach(Declaration.Child child) {
        return changing("attaching " + child.name(), connection -> {
            registry.check(connection, child);
            return attaching.attachAgain(connection, child);
        });
    }

    @Override
    public boolean detach(String child) {
        return changing("detaching " + child, connection -> attaching.detach(connection, child));
    }

    @Override
    public boolean pause(String child, boolean paused) {
        return changing((paused ? "pausing " : "resuming ") + child, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(statements.get("pause-child"))) {
                Parameters.of(statement).add(paused).add(child).add(paused);
                return Answers.of(statement).any();
            }
        });
    }

    /** In a transaction that waits for the disk: what was attached or detached stays so. Tells the nodes if anything changed. */
    private boolean changing(String what, Sessions.Step<Boolean, RuntimeException> change) {
        String channel = database.wakeNames().released();
        return sessions.<Boolean, RuntimeException>transaction(what, connection -> {
            begin(connection);
            boolean changed = change.on(connection);
            if (changed) {
                tell(connection, channel);
            }
            return changed;
        });
    }

    private void begin(Connection connection) throws SQLException {
        try (PreparedStatement begin = connection.prepareStatement(statements.get("begin-open"))) {
            begin.execute();
        }
    }

    private void tell(Connection connection, String channel) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.get("notify-released"))) {
            Parameters.of(statement).add(channel);
            statement.execute();
        }
    }

    @Override
    public Deletion delete(String stream, int limit) {
        String channel = database.wakeNames().released();
        return sessions.<Deletion, RuntimeException>transaction("deleting stream " + stream, connection -> {
            begin(connection);
            LockedStream locked = attaching.lock(connection, stream);
            return locked == null ? new Deletion.Unknown() : delete(connection, locked.no(), limit, channel);
        });
    }

    private record Dependents(List<String> children, List<String> streams) {}

    private Deletion delete(Connection connection, int stream, int limit, String channel) throws SQLException {
        Dependents dependents = dependents(connection, stream);
        if (!dependents.streams().isEmpty()) {
            return new Deletion.HasStreams(dependents.streams());
        }
        long awaited = attaching.count(connection, "count-awaited", stream);
        if (awaited > 0) {
            return new Deletion.Awaited(awaited);
        }
        for (String child : dependents.children()) {
            attaching.detach(connection, child);
        }
        if (!dependents.children().isEmpty()) {
            tell(connection, channel);
            return new Deletion.Going(0);
        }
        long removed = removeRecords(connection, stream, limit);
        if (removed > 0) {
            return new Deletion.Going(removed);
        }
        forget(connection, stream);
        tell(connection, channel);
        return new Deletion.Gone();
    }

    private Dependents dependents(Connection connection, int stream) throws SQLException {
        Dependents found = new Dependents(new ArrayList<>(), new ArrayList<>());
        try (PreparedStatement statement = connection.prepareStatement(statements.get("list-dependents"))) {
            Parameters.of(statement).add(stream).add(stream);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    (rows.getBoolean(2) ? found.streams() : found.children()).add(rows.getString(1));
                }
            }
        }
        return found;
    }

    private long removeRecords(Connection connection, int stream, int limit) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.get("remove-stream-records"))) {
            Parameters.of(statement).add(stream).add(limit);
            return statement.executeUpdate();
        }
    }

    private void forget(Connection connection, int stream) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.get("forget-stream"))) {
            Parameters.of(statement).add(stream).add(stream);
            statement.executeUpdate();
        }
    }

    @Override
    public Swept sweep(int limit) {
        long rows = 0;
        for (int orphan : orphans()) {
            rows += sessions.<Long, RuntimeException>transaction(
                    "sweeping attachment " + orphan, connection -> sweep(connection, orphan, limit));
        }
        rows += remove("sweeping leases", "sweep-leases", limit);
        return new Swept(rows, remove("sweeping records", "sweep-log", limit));
    }

    private List<Integer> orphans() {
        return sessions.autocommit("looking for orphans", connection -> {
            List<Integer> found = new ArrayList<>();
            String sql = statements.chain("plan-by-index", "find-orphans");
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                try (ResultSet rows = Answers.of(statement).skip(1).rows()) {
                    while (rows.next()) {
                        found.add(rows.getInt(1));
                    }
                }
            }
            return found;
        });
    }

    private long sweep(Connection connection, int attachment, int limit) throws SQLException {
        if (!confirmed(connection, attachment)) {
            return 0;
        }
        long removed = 0;
        for (String sweep : SWEEPS) {
            try (PreparedStatement statement = connection.prepareStatement(statements.get(sweep))) {
                Parameters.of(statement).add(attachment).add(limit);
                removed += statement.executeUpdate();
            }
        }
        return removed;
    }

    private boolean confirmed(Connection connection, int attachment) throws SQLException {
        String sql = statements.chain("begin-engine", "confirm-orphan");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Parameters.of(statement).add(database.idleTimeout()).add(attachment).add(attachment);
            try (ResultSet row = Answers.of(statement).skip(2).rows()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    private long remove(String what, String name, int limit) {
        return sessions.<Long, RuntimeException>transaction(what, connection -> {
            String sql = statements.chain("begin-engine", name);
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                Parameters.of(statement).add(database.idleTimeout()).add(limit);
                return Answers.of(statement).skip(2).count();
            }
        });
    }
}
