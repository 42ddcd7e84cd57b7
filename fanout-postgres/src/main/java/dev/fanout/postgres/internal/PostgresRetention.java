// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.spi.FencedException;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Retention;
import dev.fanout.spi.StreamPartition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Old records go, a batch at a time, in a transaction that ends with the fence. */
public final class PostgresRetention implements Retention {

    private final Sessions sessions;
    private final Statements statements;

    /**
     * Makes the retention.
     *
     * @param database the shared parts of the store
     */
    public PostgresRetention(Database database) {
        this.sessions = database.sessions();
        this.statements = database.statements();
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
        return sessions.transaction(
                "removing old records", connection -> remove(connection, lease, partition, from, before, limit));
    }

    private Batch remove(
            Connection connection, Lease lease, StreamPartition partition, long from, Instant before, int limit)
            throws SQLException {
        String sql = statements.chain("begin-engine", "remove-records", "fence-lease");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            long moment = ChronoUnit.MICROS.between(Instant.EPOCH, before);
            int stream = partition.stream();
            int slice = partition.partition();
            Parameters.of(statement)
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
                    .add(lease.resource())
                    .add(lease.node())
                    .add(lease.token());
            Answers answers = Answers.of(statement).skip(2);
            Batch batch = batch(answers.rows());
            if (!answers.skip(1).any()) {
                throw new FencedException(lease);
            }
            return batch;
        }
    }

    private static Batch batch(ResultSet row) throws SQLException {
        row.next();
        return new Batch(row.getLong(1), row.getLong(2));
    }
}
