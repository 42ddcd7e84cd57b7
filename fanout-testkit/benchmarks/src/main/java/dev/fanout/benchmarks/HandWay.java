// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.benchmarks.Ways.Address;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What one writes by hand, as well as one can: prepared statements, an index for each access and none besides, update
 * before insert, room on the entity's page for the next version.
 */
final class HandWay implements Way {

    /** The channel that appends notify. */
    static final String CHANNEL = "hand";

    private static final String TABLES = """
            create schema if not exists hand;
            create table if not exists hand.entity (
                no bigint generated always as identity primary key,
                version bigint not null,
                tenant text not null, type text not null, id text not null,
                unique (tenant, type, id)) with (fillfactor = 80);
            create table if not exists hand.event (
                seq bigint generated always as identity primary key,
                entity_no bigint not null,
                version bigint not null,
                occurred_at timestamptz not null default clock_timestamp(),
                id uuid not null,
                type text not null,
                payload jsonb not null,
                headers jsonb,
                unique (entity_no, version));
            create table if not exists hand.outbox (
                id bigint generated always as identity primary key,
                event_seq bigint not null,
                stream integer not null,
                partition integer not null);
            """;

    /** Entities change in turn; each transaction takes a thousand rows, so that no row changes twice in one. */
    private static final String FILL = """
            with changed as (
                insert into hand.entity as e (version, tenant, type, id)
                select 1, 'default', '%s', 'e' || n from generate_series(0, ? - 1) n
                on conflict (tenant, type, id) do update set version = e.version + 1
                returning no, version),
            written as (
                insert into hand.event (entity_no, version, id, type, payload)
                select no, version, gen_random_uuid(), '%s', ?::jsonb from changed
                returning seq)
            insert into hand.outbox (event_seq, stream, partition) select seq, 1, 0 from written
            """.formatted(ENTITY_TYPE, EVENT_TYPE);

    private final HikariDataSource pool;
    private final boolean notifying;

    HandWay(Address address, boolean notifying) {
        this.pool = Connections.pool(address);
        this.notifying = notifying;
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLES);
        } catch (SQLException e) {
            pool.close();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Appender appender() throws SQLException {
        return new HandAppender(pool.getConnection(), notifying);
    }

    @Override
    public void fill(long events) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(FILL)) {
            for (long left = events; left > 0; left -= Payloads.ENTITIES) {
                statement.setInt(1, (int) Math.min(left, Payloads.ENTITIES));
                statement.setString(2, Payloads.document());
                statement.executeUpdate();
            }
        }
    }

    @Override
    public Delivery deliver(Handler handler) throws SQLException {
        if (!notifying) {
            throw new UnsupportedOperationException("rows by hand are not delivered");
        }
        return HandLoop.start(pool.getConnection(), handler);
    }

    @Override
    public void close() {
        pool.close();
    }
}
