// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long the engine waits for an answer on a connection that it borrowed. A network that is silent, without a reset, would
 * otherwise hold a worker for as long as the pool's own {@code socketTimeout} says, by default for ever.
 *
 * <p>A shorter limit of the application's stays, and whatever there was before is there again afterwards. Setting it costs no
 * round trip. A connection that refuses is used without.
 */
final class AnswerLimit {

    private static final Logger LOG = LoggerFactory.getLogger(AnswerLimit.class);

    private final Connection connection;
    private final int limit;
    private @Nullable Integer before;

    AnswerLimit(Connection connection, Duration limit) {
        this.connection = connection;
        this.limit = (int) Math.min(Math.max(1, limit.toMillis()), Integer.MAX_VALUE);
    }

    /** From here on, what is sent is the engine's own. */
    void set() {
        try {
            int found = connection.getNetworkTimeout();
            if (found == 0 || found > limit) {
                connection.setNetworkTimeout(Runnable::run, limit);
                before = found;
            }
        } catch (SQLException | RuntimeException | AbstractMethodError refused) {
            LOG.debug("the connection takes no network timeout, so nothing but the pool's bounds an answer", refused);
        }
    }

    /** From here on, what is sent is the application's. A broken connection can't be restored, and need not be. */
    void lift() {
        Integer found = before;
        if (found != null) {
            before = null;
            try {
                connection.setNetworkTimeout(Runnable::run, found);
            } catch (SQLException | RuntimeException broken) {
                LOG.debug("a connection that is given back is broken", broken);
            }
        }
    }
}
