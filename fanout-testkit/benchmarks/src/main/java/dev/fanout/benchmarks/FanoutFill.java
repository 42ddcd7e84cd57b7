// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.Append;
import dev.fanout.Fanout;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Fills a backlog through the library itself, in batches: what waits is what appends leave. Two threads have half of the
 * entities each, so that they never wait for each other.
 */
final class FanoutFill {

    private static final int HALF = Payloads.ENTITIES / 2;

    private final Fanout<Connection> fanout;
    private final DataSource source;
    private final long events;

    private FanoutFill(Fanout<Connection> fanout, DataSource source, long events) {
        this.fanout = fanout;
        this.source = source;
        this.events = events;
    }

    static FanoutFill of(Fanout<Connection> fanout, DataSource source, long events) {
        return new FanoutFill(fanout, source, events);
    }

    void run() throws SQLException {
        long first = events / 2;
        try {
            Stream.of(fillInBackground(0, first), fillInBackground(HALF, events - first))
                    .toList()
                    .forEach(CompletableFuture::join);
        } catch (CompletionException e) {
            throw new SQLException("The backlog could not be filled", e.getCause());
        }
    }

    private CompletableFuture<Void> fillInBackground(int firstEntity, long count) {
        return CompletableFuture.runAsync(() -> {
            try (Connection connection = source.getConnection()) {
                fill(connection, firstEntity, count);
            } catch (SQLException e) {
                throw new CompletionException(e);
            }
        });
    }

    private void fill(Connection connection, int firstEntity, long count) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("set synchronous_commit = off");
            for (long left = count; left > 0; left -= HALF) {
                fanout.append(connection, batch(firstEntity, (int) Math.min(left, HALF)));
                connection.commit();
            }
            statement.execute("reset synchronous_commit");
            connection.commit();
        }
    }

    /** An append to each of so many entities. */
    static List<Append> batch(int firstEntity, int size) {
        return IntStream.range(firstEntity, firstEntity + size)
                .mapToObj(Payloads::entity)
                .map(entity -> Append.to(Way.ENTITY_TYPE, entity).eventJson(Way.EVENT_TYPE, Payloads.document()))
                .toList();
    }
}
