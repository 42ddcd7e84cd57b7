// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Raises a node's counter on a connection of its own, so that a pool that handlers have emptied can't cost the leases. Where
 * there is no connection beside the pool, the pool's has to do.
 */
final class Heartbeat implements AutoCloseable {

    /** An answer takes at most so long; two lost ones still fit into the shortest useful lease. */
    private static final Duration ANSWER = Duration.ofSeconds(3);

    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final Database database;
    private final ReentrantLock beating = new ReentrantLock();
    private volatile boolean closed;
    private volatile @Nullable Connection own;

    Heartbeat(Database database) {
        this.database = database;
    }

    boolean beat(long node) {
        beating.lock();
        try {
            return beatAlone(node);
        } finally {
            beating.unlock();
        }
    }

    private boolean beatAlone(long node) {
        if (!database.direct().available()) {
            return database.sessions().autocommit("raising the heartbeat", connection -> beat(connection, node));
        }
        Connection known = own;
        if (known != null) {
            try {
                return beat(known, node);
            } catch (SQLException e) {
                LOG.debug("the heartbeat's connection was lost, and is made again", e);
                drop();
            }
        }
        return beatOnNew(node);
    }

    private boolean beatOnNew(long node) {
        Connection opened = database.direct().open("heartbeat", ANSWER).orElseThrow();
        own = opened;
        if (closed) {
            drop();
        }
        try {
            return beat(opened, node);
        } catch (SQLException e) {
            drop();
            throw SqlFailures.of("raising the heartbeat", e);
        }
    }

    private boolean beat(Connection connection, long node) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(database.statements().get("beat-node"))) {
            statement.setLong(1, node);
            return statement.executeUpdate() == 1;
        }
    }

    private void drop() {
        Optional.ofNullable(own).ifPresent(Heartbeat::closeQuietly);
        own = null;
    }

    /** Waits for no answer: a beat that is on its way fails. */
    @Override
    public void close() {
        closed = true;
        if (beating.tryLock()) {
            try {
                drop();
            } finally {
                beating.unlock();
            }
        } else {
            Optional.ofNullable(own).ifPresent(Heartbeat::abort);
        }
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.debug("the heartbeat's connection can't be broken", e);
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("the heartbeat's connection can't be closed", e);
        }
    }
}
