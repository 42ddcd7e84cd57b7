// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Append;
import dev.fanout.ChildSpec;
import dev.fanout.Fanout;
import dev.fanout.FanoutListener;
import dev.fanout.benchmarks.Way.Appender;
import dev.fanout.benchmarks.Ways.Address;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;

/** An engine on one stream of one partition, with the children that a figure is about; all settings at their defaults. */
final class Family implements AutoCloseable {

    private final TestDatabase database;
    private final HikariDataSource pool;
    private final LongAdder logReads = new LongAdder();
    private final LongAdder delivered = new LongAdder();
    private final Fanout<Connection> fanout;

    private Family(TestDatabase database, Map<String, UnaryOperator<ChildSpec<Connection>>> children) {
        this.database = database;
        this.pool = Connections.pool(Address.of(database));
        Fanout.Builder<Connection> builder = Fanout.builder(new CountedStore(PostgresStore.of(pool), logReads)).stream(
                        "things", s -> s.entities(Way.ENTITY_TYPE))
                .listener(new Counts(delivered));
        children.forEach((name, spec) -> builder.child(name, c -> spec.apply(c.of("things"))));
        this.fanout = builder.build();
    }

    static Family start(TestDatabase database, Map<String, UnaryOperator<ChildSpec<Connection>>> children) {
        Family family = new Family(database, children);
        family.fanout.start();
        return family;
    }

    /** Has events published before anybody is there to take them. */
    static void publish(TestDatabase database, int events) throws SQLException {
        try (Family nobody = start(database, Map.of())) {
            nobody.fill(events);
        }
    }

    /** Appends events in many transactions, and waits until they are in the log. */
    void fill(int events) throws SQLException {
        FanoutFill.of(fanout, pool, events).run();
        fanout.committed();
        Bench.await(
                events + " events in the log",
                () -> database.number("select coalesce(max(position) + 1, 0) from fanout.log") >= events);
    }

    /** Appends events in one transaction, so that all of them come at once; returns when that was. */
    long burst(int events) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("set local synchronous_commit = off");
            for (int left = events; left > 0; left -= Payloads.ENTITIES) {
                List<Append> batch = FanoutFill.batch(0, Math.min(left, Payloads.ENTITIES));
                fanout.append(connection, batch);
            }
            connection.commit();
            long at = System.nanoTime();
            fanout.committed();
            return at;
        }
    }

    Appender appender() throws SQLException {
        Connection connection = pool.getConnection();
        connection.setAutoCommit(false);
        return new FanoutWay.FanoutAppender(fanout, connection, true);
    }

    /** How many events have been delivered and acknowledged, of all children together. */
    long delivered() {
        return delivered.sum();
    }

    /** How many times the engine has read the log. */
    long logReads() {
        return logReads.sum();
    }

    @Override
    public void close() {
        fanout.close();
        pool.close();
    }

    private record Counts(LongAdder delivered) implements FanoutListener {

        @Override
        public void delivered(String child, int partition, long applied, long gated, long skipped, long filtered) {
            delivered.add(applied + gated + skipped);
        }
    }
}
