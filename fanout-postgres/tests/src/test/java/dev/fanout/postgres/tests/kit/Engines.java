// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kit;

import dev.fanout.Append;
import dev.fanout.Fanout;
import dev.fanout.Projection;
import dev.fanout.Settings;
import dev.fanout.postgres.PostgresStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** Engines with one stream of assets, and shorthands to append to it. */
public final class Engines {

    /** Long enough for a machine that is busy with everything else. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    public static final String STREAM = "assets";
    public static final String CHILD = "search";

    /** Reconciles often and takes over soon: the protocols are the same, only the waiting is shorter. */
    public static final Settings BRISK = Settings.defaults()
            .pollInterval(Duration.ofMillis(200))
            .reconcileInterval(Duration.ofMillis(100))
            .heartbeatInterval(Duration.ofMillis(500))
            .leaseLength(Duration.ofSeconds(3))
            .retryBackoff(Duration.ofMillis(100))
            .retryBackoffCap(Duration.ofMillis(500));

    private Engines() {}

    public static Fanout.Builder<Connection> on(DataSource dataSource) {
        return on(dataSource, 1);
    }

    public static Fanout.Builder<Connection> on(DataSource dataSource, int partitions) {
        return Fanout.builder(PostgresStore.of(dataSource)).settings(BRISK).stream(
                STREAM, stream -> stream.entities("asset").partitions(partitions));
    }

    /** A started engine with one plain child that is told everything from the beginning. */
    public static Fanout<Connection> started(DataSource dataSource, Projection projection) {
        return started(dataSource, projection, BRISK);
    }

    public static Fanout<Connection> started(DataSource dataSource, Projection projection, Settings settings) {
        Fanout<Connection> fanout = on(dataSource)
                .settings(settings)
                .child(CHILD, child -> child.of(STREAM).projection(projection).fromBeginning())
                .build();
        fanout.start();
        return fanout;
    }

    /** Appends one event, in the caller's transaction; answers its version. */
    public static long append(Fanout<Connection> fanout, Connection tx, String asset) {
        return fanout.append(tx, renamed(asset)).version();
    }

    /** Appends one event and commits; answers its version. */
    public static long append(Fanout<Connection> fanout, String asset) {
        try {
            return fanout.inTransaction(tx -> append(fanout, tx, asset));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static Append renamed(String asset) {
        return Append.to("asset", asset).eventJson("asset.renamed", "{\"name\": \"" + asset + "\"}");
    }

    /** A transaction of somebody's that has its id already, and so an old one soon. */
    public static Connection writer(DataSource dataSource) throws SQLException {
        Connection tx = dataSource.getConnection();
        tx.setAutoCommit(false);
        try (Statement statement = tx.createStatement()) {
            statement.execute("select pg_current_xact_id()");
        }
        return tx;
    }
}
