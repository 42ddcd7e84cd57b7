// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.FanoutException;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Leases;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Nodes and leases: rows, and not locks of sessions, because a holder can't see that it lost one of those.
 *
 * <p>A lease is <i>free</i> (no node), or <i>owned</i>; its token grows by one each time that it is taken and never otherwise.
 * To take is a compare-and-set on the token that the taker saw when it judged the owner dead, so of two takers one wins.
 * Every commit of an owner holds the fence ({@code demand-lease.sql}, {@code advance-many.sql}): it locks the row FOR SHARE if it still carries the
 * owner's token, and is held to the end of the transaction. So the two orders are: fence first, then the taker waits until that
 * commit is done and sees its rows; or taker first, then the fence finds another token, and the stale owner commits nothing.
 *
 * <p>An owner that stalls between its fence and its COMMIT would make the taker wait for ever. The taker waits for
 * a quarter of a second, ends the sessions in its way, and tries again; where it has no right to, the owner's own
 * {@code idle_in_transaction_session_timeout} ends them, below the lease's length.
 *
 * <p>No clock decides anything here: whether a node is dead is judged by observers, from counters.
 */
public final class PostgresLeases implements Leases, AutoCloseable {

    private final Database database;
    private final Sessions sessions;
    private final Statements statements;
    private final Heartbeat heartbeat;

    /**
     * Makes the leases.
     *
     * @param database the shared parts of the store
     */
    public PostgresLeases(Database database) {
        this.database = database;
        this.sessions = database.sessions();
        this.statements = database.statements();
        this.heartbeat = new Heartbeat(database);
    }

    @Override
    public long join(String name, Set<String> children) {
        return sessions.autocommit("joining as a node", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(statements.get("join-node"))) {
                Array names = connection.createArrayOf("text", children.toArray());
                statement.setString(1, name);
                statement.setArray(2, names);
                return firstLong(statement).orElseThrow();
            }
        });
    }

    @Override
    public boolean beat(long node) {
        return heartbeat.beat(node);
    }

    @Override
    public void knows(long node, Set<String> children) {
        String channel = database.wakeNames().released();
        sessions.autocommit("saying what a node can run", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(statements.get("set-node-children"))) {
                statement.setArray(1, connection.createArrayOf("text", children.toArray()));
                statement.setLong(2, node);
                statement.setString(3, channel);
                return statement.execute();
            }
        });
    }

    @Override
    public Survey survey() {
        return sessions.autocommit("reading nodes and leases", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(statements.get("survey"));
                    ResultSet rows = statement.executeQuery()) {
                return survey(rows);
            }
        });
    }

    private static Survey survey(ResultSet rows) throws SQLException {
        SurveyRows survey = new SurveyRows();
        while (rows.next()) {
            survey.add(rows);
        }
        return survey.survey();
    }

    @Override
    public Optional<Lease> take(String resource, long seen, long node) {
        try {
            return tryToTake(resource, seen, node);
        } catch (FanoutException e) {
            if (!blocked(e)) {
                throw e;
            }
        }
        endBlockers(resource);
        return tryAgain(resource, seen, node);
    }

    private Optional<Lease> tryAgain(String resource, long seen, long node) {
        try {
            return tryToTake(resource, seen, node);
        } catch (FanoutException e) {
            if (blocked(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Optional<Lease> tryToTake(String resource, long seen, long node) {
        OptionalLong token = sessions.transaction("taking " + resource, connection -> {
            begin(connection);
            try (PreparedStatement statement = connection.prepareStatement(statements.get("take-lease"))) {
                statement.setLong(1, node);
                statement.setString(2, resource);
                statement.setLong(3, seen);
                statement.setString(4, resource);
                statement.setLong(5, node);
                statement.setLong(6, seen);
                return firstLong(statement);
            }
        });
        return token.isPresent() ? Optional.of(new Lease(resource, node, token.getAsLong())) : Optional.empty();
    }

    private void begin(Connection connection) throws SQLException {
        String begin = statements.chain("begin-engine", "limit-lock-wait");
        try (PreparedStatement statement = connection.prepareStatement(begin)) {
            statement.setString(1, database.idleTimeout());
            statement.execute();
        }
    }

    private static boolean blocked(FanoutException failure) {
        return failure.getCause() instanceof SQLException cause && "55P03".equals(cause.getSQLState());
    }

    private void endBlockers(String resource) {
        sessions.autocommit("ending what blocks " + resource, connection -> {
            try (PreparedStatement statement =
                    connection.prepareStatement(statements.get("terminate-lease-blockers"))) {
                statement.setString(1, resource);
                return firstLong(statement);
            } catch (SQLException e) {
                if (SqlFailures.forbidden(e)) {
                    return OptionalLong.empty();
                }
                throw e;
            }
        });
    }

    @Override
    public void release(Lease lease) {
        String channel = database.wakeNames().released();
        sessions.autocommit("releasing " + lease.resource(), connection -> {
            try (PreparedStatement statement = connection.prepareStatement(statements.get("release-lease"))) {
                statement.setString(1, lease.resource());
                statement.setLong(2, lease.token());
                statement.setString(3, channel);
                return statement.execute();
            }
        });
    }

    @Override
    public void remove(long node) {
        String channel = database.wakeNames().released();
        sessions.autocommit("removing node " + node, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(statements.get("remove-node"))) {
                statement.setLong(1, node);
                statement.setLong(2, node);
                statement.setString(3, channel);
                return statement.execute();
            }
        });
    }

    private static OptionalLong firstLong(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
        }
    }

    /** Closes the heartbeat's connection. */
    @Override
    public void close() {
        heartbeat.close();
    }
}
