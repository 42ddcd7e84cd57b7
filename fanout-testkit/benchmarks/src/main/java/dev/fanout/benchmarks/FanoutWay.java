// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Append;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.FanoutListener;
import dev.fanout.Outcome;
import dev.fanout.benchmarks.Ways.Address;
import dev.fanout.postgres.PostgresStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;

/** The library with one stream of one partition and one plain child, all settings at their defaults. */
final class FanoutWay implements Way {

    private static final Handler NOBODY = (entity, version) -> {};

    private final HikariDataSource pool;
    private final Fanout<Connection> fanout;
    private final boolean told;
    private final Counts counts = new Counts();
    private volatile Handler handler = NOBODY;

    FanoutWay(Address address, boolean told) {
        this.pool = Connections.pool(address);
        this.told = told;
        this.fanout = Fanout.builder(PostgresStore.of(pool)).stream("things", s -> s.entities(ENTITY_TYPE))
                .child("counter", c -> c.of("things").projection(this::apply))
                .listener(counts)
                .build();
    }

    @Override
    public Appender appender() throws SQLException {
        Connection connection = pool.getConnection();
        connection.setAutoCommit(false);
        return new FanoutAppender(fanout, connection, told);
    }

    @Override
    public void fill(long events) throws SQLException {
        FanoutFill.of(fanout, pool, events).run();
    }

    @Override
    public Delivery deliver(Handler to) {
        handler = to;
        fanout.start();
        return new Running();
    }

    @Override
    public void close() {
        fanout.close();
        pool.close();
    }

    private Outcome apply(Event event) {
        handler.handle(event.entity().id(), event.version());
        return Outcome.applied();
    }

    static final class FanoutAppender implements Appender {

        private final Fanout<Connection> fanout;
        private final Connection connection;
        private final boolean told;

        FanoutAppender(Fanout<Connection> fanout, Connection connection, boolean told) {
            this.fanout = fanout;
            this.connection = connection;
            this.told = told;
        }

        @Override
        public long append(String entity, String payload) throws SQLException {
            long version = fanout.append(
                            connection, Append.to(ENTITY_TYPE, entity).eventJson(EVENT_TYPE, payload))
                    .version();
            connection.commit();
            if (told) {
                fanout.committed();
            }
            return version;
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }

    private final class Running implements Delivery {

        @Override
        public long acknowledged() {
            return counts.delivered.get();
        }

        @Override
        public long readyAt() {
            return counts.laneTakenAt.get();
        }

        @Override
        public void close() {
            fanout.close();
        }
    }

    /** Counts what has been delivered and its cursor durably advanced. */
    private static final class Counts implements FanoutListener {

        private final AtomicLong delivered = new AtomicLong();
        private final AtomicLong laneTakenAt = new AtomicLong();

        @Override
        public void delivered(String child, int partition, long applied, long gated, long skipped, long filtered) {
            delivered.addAndGet(applied + gated + skipped);
        }

        @Override
        public void leaseTaken(String resource, long token) {
            if (resource.startsWith("lane/")) {
                laneTakenAt.compareAndSet(0, System.nanoTime());
            }
        }
    }
}
