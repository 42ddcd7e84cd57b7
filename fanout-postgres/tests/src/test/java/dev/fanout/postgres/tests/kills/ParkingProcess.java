// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kills;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.CodecException;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.Outcome;
import dev.fanout.TransactionalProjection;
import dev.fanout.postgres.tests.kit.Engines;
import java.sql.Connection;
import java.util.Set;

/** An engine whose children set entities aside, in a process of its own: a table, and a child stream with a filter. */
final class ParkingProcess {

    static final String BROKEN = "broken";
    static final String WELL = "well";
    private static final Set<String> BAD = Set.of("asset-3", "asset-7");

    private ParkingProcess() {}

    public static void main(String[] arguments) throws Exception {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(arguments[0]);
            pool.setUsername(arguments[1]);
            pool.setMaximumPoolSize(4);
            try (Fanout<Connection> fanout = engine(pool, arguments[2].equals(BROKEN))) {
                fanout.start();
                System.out.println("started");
                System.out.println("told to stop: " + System.in.read());
            }
        }
    }

    /** assets (2 partitions) -> table "applied", and by a filter -> retries (3). Small slabs, so that a kill finds many steps. */
    static Fanout<Connection> engine(HikariDataSource pool, boolean broken) {
        Applied table = new Applied(event -> {});
        TransactionalProjection<Connection> moody =
                (event, tx) -> broken && isBad(event) ? Outcome.park("a bad asset") : table.apply(event, tx);
        return Engines.on(pool, 2).settings(Engines.BRISK.slabRecords(16)).stream(
                        "retries", stream -> stream.partitions(3))
                .filter("moody", event -> {
                    if (broken && isBad(event)) {
                        throw new CodecException("a bad asset", new IllegalArgumentException());
                    }
                    return true;
                })
                .child(
                        "applied",
                        child -> child.of(Engines.STREAM).fromBeginning().transactional(moody))
                .child(
                        "to-retries",
                        child -> child.of(Engines.STREAM).fromBeginning().stream("retries")
                                .filter("moody"))
                .build();
    }

    private static boolean isBad(Event event) {
        return BAD.contains(event.entity().id());
    }
}
