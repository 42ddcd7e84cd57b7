// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.benchmarks.Way.Delivery;
import dev.fanout.benchmarks.Way.Handler;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * The loop that most teams write first: LISTEN; until there is nothing left, SELECT a thousand by id, handle them, DELETE
 * them; wait for the next notification. It keeps no cursor, gates nothing and has no successor.
 */
final class HandLoop implements Delivery, Runnable {

    private static final int BATCH = 1_000;
    private static final int PATIENCE_MILLIS = 100;

    private final Connection connection;
    private final Handler handler;
    private final Thread thread = new Thread(this, "loop-by-hand");
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicReference<@Nullable SQLException> failure = new AtomicReference<>();
    private final PreparedStatement select;
    private final PreparedStatement delete;
    private volatile long readyAt;
    private volatile boolean stopping;

    private HandLoop(Connection connection, Handler handler) throws SQLException {
        this.connection = connection;
        this.handler = handler;
        select = connection.prepareStatement("select o.id, n.id, e.version, e.type, e.payload, e.headers, e.occurred_at"
                + " from hand.outbox o join hand.event e on e.seq = o.event_seq join hand.entity n on n.no = e.entity_no"
                + " order by o.id limit " + BATCH);
        delete = connection.prepareStatement("delete from hand.outbox where id = any (?)");
    }

    static HandLoop start(Connection connection, Handler handler) throws SQLException {
        connection.setAutoCommit(true);
        try (Statement statement = connection.createStatement()) {
            statement.execute("listen " + HandWay.CHANNEL);
        }
        HandLoop loop = new HandLoop(connection, handler);
        loop.readyAt = System.nanoTime();
        loop.thread.start();
        return loop;
    }

    @Override
    public void run() {
        try {
            PGConnection notifications = connection.unwrap(PGConnection.class);
            while (!stopping) {
                while (!stopping && drainBatch() > 0) {
                    // again at once: there may be more
                }
                notifications.getNotifications(PATIENCE_MILLIS);
            }
        } catch (SQLException e) {
            failure.set(e);
        }
    }

    @Override
    public long acknowledged() {
        SQLException failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("the loop by hand has failed", failed);
        }
        return acknowledged.get();
    }

    @Override
    public long readyAt() {
        return readyAt;
    }

    @Override
    public void close() throws SQLException {
        stopping = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        connection.close();
    }

    private int drainBatch() throws SQLException {
        long[] ids = new long[BATCH];
        int count = 0;
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                ids[count++] = row.getLong(1);
                String payload = row.getString(5);
                if (payload.isEmpty()) {
                    throw new IllegalStateException("no payload");
                }
                handler.handle(row.getString(2), row.getLong(3));
            }
        }
        if (count > 0) {
            delete.setObject(1, java.util.Arrays.copyOf(ids, count));
            delete.executeUpdate();
            acknowledged.addAndGet(count);
        }
        return count;
    }
}
