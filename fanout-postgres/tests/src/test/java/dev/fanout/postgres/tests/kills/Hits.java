// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kills;

import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.awaitility.Awaitility;

/** Where a batch is when the killer comes: a kill counts only if it hits one. */
enum Hits {
    /** The relay has written records of a batch to the log, and has not committed. */
    PUBLICATION,
    /** A plain projection has written half of a slab, and the cursor has not moved. */
    PLAIN,
    /** A transactional projection has written half of a slab, and has not committed. */
    TRANSACTIONAL;

    private static final int LOCK = 4712;

    static Hits of(int round) {
        return values()[round % values().length];
    }

    /** How often each test kills. */
    static int rounds() {
        return Integer.getInteger("fanout.kills", 3);
    }

    /** Makes the next publication stand still behind its own insert, until the answer is closed. */
    static Connection publicationsStandStill(TestDatabase database) throws SQLException {
        database.execute("create or replace function still() returns trigger language plpgsql as $$ begin"
                + " perform pg_advisory_xact_lock_shared(" + LOCK + "); return null; end $$;"
                + " create or replace trigger still after insert on fanout.log for each statement"
                + " execute function still()");
        Connection holder = database.connect();
        try (Statement statement = holder.createStatement()) {
            statement.execute("select pg_advisory_lock(" + LOCK + ")");
        }
        return holder;
    }

    static void awaitPublicationInFlight(TestDatabase database) {
        Awaitility.await()
                .atMost(Engines.PATIENCE)
                .until(() -> database.number("select count(*) from pg_locks where locktype = 'advisory' and objid = "
                                + LOCK + " and not granted")
                        == 1);
    }
}
