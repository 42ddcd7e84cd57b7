// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.spi.Lease;
import dev.fanout.spi.Retention;
import dev.fanout.spi.StreamPartition;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Old records go, a batch at a time, in one round trip that ends with the fence. */
public final class PostgresRetention implements Retention {

    private final Database database;
    private final Sessions sessions;
    private final Statements statements;
    private final OwnedSteps steps;

    /**
     * Makes the retention.
     *
     * @param database the shared parts of the store
     */
    public PostgresRetention(Database database) {
        this.database = database;
        this.sessions = database.sessions();
        this.statements = database.statements();
        this.steps = new OwnedSteps(sessions);
    }

    @Override
    public Instant now() {
        return sessions.autocommit("reading the clock", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(statements.get("read-clock"))) {
                return Instant.EPOCH.plus(Answers.of(statement).number(), ChronoUnit.MICROS);
            }
        });
    }

    @Override
    public Batch remove(Lease lease, StreamPartition partition, long from, Instant before, int limit) {
        return steps.run("removing old records", lease, (connection, opening, answersOfOpening) -> {
            String sql = statements.chain(opening, "remove-records", "demand-lease");
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                bind(lease, partition, from, before, limit, statement);
                return batch(Answers.of(statement).skip(answersOfOpening).rows());
            }
        });
    }

    private void bind(
            Lease lease, StreamPartition partition, long from, Instant before, int limit, PreparedStatement statement)
            throws SQLException {
        long moment = ChronoUnit.MICROS.between(Instant.EPOCH, before);
        int stream = partition.stream();
        int slice = partition.partition();
        Parameters.of(statement)
                // begin-step, begin-engine
                .add(database.idleTimeout())
                // remove-records
                .add(stream)
                .add(slice)
                .add(from)
                .add(stream)
                .add(slice)
                .add(from)
                .add(moment)
                .add(limit)
                .add(stream)
                .add(slice)
                .add(moment)
                .add(stream)
                .add(slice)
                .add(from)
                // demand-lease
                .add(lease.resource())
                .add(lease.node())
                .add(lease.token());
    }

    private static Batch batch(ResultSet row) throws SQLException {
        row.next();
        return new Batch(row.getLong(1), row.getLong(2));
    }
}
