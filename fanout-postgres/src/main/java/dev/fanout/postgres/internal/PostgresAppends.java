// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.AppendRefusedException;
import dev.fanout.Entity;
import dev.fanout.EntityRef;
import dev.fanout.FanoutException;
import dev.fanout.Payload;
import dev.fanout.spi.Appends;
import dev.fanout.spi.Layout;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Appends through the application's connection, whoever wrapped it: everything goes by plain JDBC, so that a pool's or a
 * framework's proxy sees what it wants to see.
 *
 * <p>What can be refused is refused before anything is sent, since a statement that fails takes the application's
 * transaction with it. For the same reason conflicts and repeats are values of the statement and not errors of it.
 */
public final class PostgresAppends implements Appends<Connection> {

    private final Database database;
    private final Registry registry;
    private final AppendCall single;
    private final AppendBatchCall several;

    /**
     * Makes the appends of a store.
     *
     * @param database what the store's parts share
     */
    public PostgresAppends(Database database) {
        this.database = database;
        this.registry = new Registry(database.statements());
        this.single = new AppendCall(database);
        this.several = new AppendBatchCall(database);
    }

    @Override
    public List<Result> append(Connection tx, List<EntityAppend> batch) {
        Objects.requireNonNull(tx, "tx");
        try {
            refuseUnlessWritable(tx);
            List<Result> results = batch.size() == 1 ? List.of(single.run(tx, batch.get(0))) : several.run(tx, batch);
            return results.stream().anyMatch(Result.Repeated.class::isInstance)
                    ? withEarlierStreams(tx, batch, results)
                    : results;
        } catch (SQLException e) {
            throw failure(batch, e);
        }
    }

    private static void refuseUnlessWritable(Connection tx) throws SQLException {
        if (tx.isClosed()) {
            throw new AppendRefusedException("the connection is closed, and nothing can be appended through it:"
                    + " append before it is given back");
        }
        if (tx.getAutoCommit()) {
            throw new AppendRefusedException("the connection is in autocommit mode, so there is no transaction for an"
                    + " append to be part of: call setAutoCommit(false), or append within the framework's transaction");
        }
        if (tx.isReadOnly()) {
            throw new AppendRefusedException("the connection is read-only: call setReadOnly(false), or append within a"
                    + " transaction that may write");
        }
    }

    /** A round trip of its own: repeats are rare, and the append carries nothing for them. */
    private List<Result> withEarlierStreams(Connection tx, List<EntityAppend> batch, List<Result> results)
            throws SQLException {
        List<Result> complete = new ArrayList<>(results);
        try (PreparedStatement find = tx.prepareStatement(database.statements().get("find-streams"))) {
            for (int i = 0; i < complete.size(); i++) {
                if (complete.get(i) instanceof Result.Repeated repeated) {
                    EntityRef entity = batch.get(i).entity();
                    Parameters.of(find)
                            .add(entity.tenant())
                            .add(entity.type())
                            .add(entity.id())
                            .add(repeated.events().get(0).version());
                    complete.set(i, new Result.Repeated(repeated.events(), streams(find)));
                }
            }
        }
        return complete;
    }

    private static Set<Integer> streams(PreparedStatement find) throws SQLException {
        try (ResultSet row = find.executeQuery()) {
            row.next();
            return Set.of((Integer[]) row.getArray(1).getArray());
        }
    }

    private FanoutException failure(List<EntityAppend> batch, SQLException e) {
        String what = "appending to " + batch.get(0).entity()
                + (batch.size() == 1 ? "" : " and " + (batch.size() - 1) + " more");
        if (SqlFailures.readOnly(e)) {
            return new AppendRefusedException(
                    what + ": the transaction is read-only, or the server a standby:"
                            + " append on the primary, in a transaction that may write",
                    e);
        }
        if (SqlFailures.failedTransaction(e)) {
            return new AppendRefusedException(
                    what + ": an earlier statement has failed this transaction: roll it back", e);
        }
        if (SqlFailures.missing(e)) {
            return new AppendRefusedException(
                    what + ": schema " + database.schema().value()
                            + " is not there, or not of this release: open the store first",
                    e);
        }
        return SqlFailures.of(what, e);
    }

    @Override
    public Optional<Entity> find(Connection tx, EntityRef entity) {
        try (PreparedStatement find = tx.prepareStatement(database.statements().get("find-entity"))) {
            find.setString(1, entity.tenant());
            find.setString(2, entity.type());
            find.setString(3, entity.id());
            try (ResultSet row = find.executeQuery()) {
                return row.next() ? Optional.of(read(entity, row)) : Optional.empty();
            }
        } catch (SQLException e) {
            throw SqlFailures.of("finding " + entity, e);
        }
    }

    private Entity read(EntityRef entity, ResultSet row) throws SQLException {
        long source = row.getLong("source_version");
        OptionalLong sourceVersion = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(source);
        Optional<Payload> state =
                Optional.ofNullable(row.getString("state")).map(json -> Payload.of(json, database.codec()));
        return new Entity(entity, row.getLong("version"), sourceVersion, state, row.getBoolean("deleted"));
    }

    @Override
    public Optional<Layout> layout(Connection tx) {
        try {
            return hasSchema(tx) ? Optional.of(registry.layout(tx)) : Optional.empty();
        } catch (SQLException e) {
            throw SqlFailures.of("reading streams and children", e);
        }
    }

    private boolean hasSchema(Connection tx) throws SQLException {
        try (PreparedStatement ask = tx.prepareStatement(database.statements().get("has-schema"));
                ResultSet row = ask.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    @Override
    public <R> R inTransaction(Work<Connection, R> work) throws Exception {
        return database.sessions().lend("running a transaction", work);
    }
}
