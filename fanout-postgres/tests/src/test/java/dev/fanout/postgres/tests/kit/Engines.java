// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kit;

import dev.fanout.Append;
import dev.fanout.Fanout;
import dev.fanout.Projection;
import dev.fanout.Settings;
import dev.fanout.StoreUnavailableException;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.spi.Appends;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.awaitility.Awaitility;

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

    /**
     * What a host does whose pool still holds connections to a server that is gone: rolls back, and does its work again. A
     * transaction whose end was not heard of may have been committed.
     */
    public static <R> R again(Fanout<Connection> fanout, Appends.Work<Connection, R> work) {
        AtomicReference<R> result = new AtomicReference<>();
        Awaitility.await()
                .atMost(PATIENCE)
                .ignoreException(StoreUnavailableException.class)
                .until(() -> {
                    result.set(fanout.inTransaction(work));
                    return true;
                });
        return result.get();
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
