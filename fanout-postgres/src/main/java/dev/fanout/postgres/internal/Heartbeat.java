// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
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
    private @Nullable Connection own;

    Heartbeat(Database database) {
        this.database = database;
    }

    synchronized boolean beat(long node) {
        if (!database.direct().available()) {
            return database.sessions().autocommit("raising the heartbeat", connection -> beat(connection, node));
        }
        if (own != null) {
            try {
                return beat(own, node);
            } catch (SQLException e) {
                LOG.debug("the heartbeat's connection was lost, and is made again", e);
                close();
            }
        }
        return beatOnNew(node);
    }

    private boolean beatOnNew(long node) {
        Connection opened = database.direct().open("heartbeat", ANSWER).orElseThrow();
        own = opened;
        try {
            return beat(opened, node);
        } catch (SQLException e) {
            close();
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

    @Override
    public synchronized void close() {
        Optional.ofNullable(own).ifPresent(Heartbeat::closeQuietly);
        own = null;
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("the heartbeat's connection can't be closed", e);
        }
    }
}
