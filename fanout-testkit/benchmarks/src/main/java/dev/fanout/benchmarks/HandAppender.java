// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.benchmarks.Way.Appender;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/** The three rows, statement by statement, in one transaction. */
final class HandAppender implements Appender {

    private final Connection connection;
    private final PreparedStatement update;
    private final PreparedStatement insert;
    private final PreparedStatement event;
    private final PreparedStatement outbox;
    private final PreparedStatement wake;
    private final boolean notifying;

    private record Changed(long no, long version) {}

    HandAppender(Connection connection, boolean notifying) throws SQLException {
        this.connection = connection;
        this.notifying = notifying;
        connection.setAutoCommit(false);
        update = connection.prepareStatement("update hand.entity set version = version + 1"
                + " where tenant = 'default' and type = ? and id = ? returning no, version");
        insert = connection.prepareStatement("insert into hand.entity (version, tenant, type, id)"
                + " values (1, 'default', ?, ?) on conflict (tenant, type, id)"
                + " do update set version = hand.entity.version + 1 returning no, version");
        event = connection.prepareStatement("insert into hand.event (entity_no, version, id, type, payload)"
                + " values (?, ?, ?, ?, ?::jsonb) returning seq");
        outbox = connection.prepareStatement("insert into hand.outbox (event_seq, stream, partition) values (?, 1, 0)");
        wake = connection.prepareStatement("select pg_notify('" + HandWay.CHANNEL + "', '')");
    }

    @Override
    public long append(String entity, String payload) throws SQLException {
        Changed changed = change(entity);
        long seq = insertEvent(changed, payload);
        outbox.setLong(1, seq);
        outbox.executeUpdate();
        if (notifying) {
            wake.executeQuery().close();
        }
        connection.commit();
        return changed.version;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private Changed change(String entity) throws SQLException {
        update.setString(1, Way.ENTITY_TYPE);
        update.setString(2, entity);
        try (ResultSet row = update.executeQuery()) {
            if (row.next()) {
                return new Changed(row.getLong(1), row.getLong(2));
            }
        }
        insert.setString(1, Way.ENTITY_TYPE);
        insert.setString(2, entity);
        try (ResultSet row = insert.executeQuery()) {
            row.next();
            return new Changed(row.getLong(1), row.getLong(2));
        }
    }

    private long insertEvent(Changed changed, String payload) throws SQLException {
        event.setLong(1, changed.no);
        event.setLong(2, changed.version);
        event.setObject(3, UUID.randomUUID());
        event.setString(4, Way.EVENT_TYPE);
        event.setString(5, payload);
        try (ResultSet row = event.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}
