// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kills;

import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.awaitility.Awaitility;

/**
 * Makes an append stand still between two of its statements: a trigger of the test's waits for an advisory lock that the
 * test holds.
 */
final class AppendStages implements AutoCloseable {

    /** Where the append stands still. */
    enum Stage {
        BEFORE_THE_ENTITY("before insert or update on fanout.entity for each row"),
        AFTER_THE_ENTITY("after insert or update on fanout.entity for each row"),
        AFTER_THE_EVENT("after insert on fanout.event for each row"),
        AFTER_THE_OUTBOX_ROW("after insert on fanout.outbox for each row"),
        IN_THE_COMMIT("after insert on fanout.outbox deferrable initially deferred for each row");

        private final String when;

        Stage(String when) {
            this.when = when;
        }

        private String trigger() {
            String kind = this == IN_THE_COMMIT ? "constraint trigger" : "trigger";
            return "create " + kind + " stage " + when + " execute function stage()";
        }

        private String table() {
            return when.replaceAll(".* on (\\S+) .*", "$1");
        }
    }

    private static final int LOCK = 4711;

    private final TestDatabase database;
    private final Stage stage;
    private final Connection holder;

    private AppendStages(TestDatabase database, Stage stage, Connection holder) {
        this.database = database;
        this.stage = stage;
        this.holder = holder;
    }

    static AppendStages standStill(TestDatabase database, Stage stage) throws SQLException {
        database.execute("create or replace function stage() returns trigger language plpgsql as $$ begin"
                + " perform pg_advisory_xact_lock_shared(" + LOCK + "); return new; end $$; " + stage.trigger());
        Connection holder = database.connect();
        try (Statement statement = holder.createStatement()) {
            statement.execute("select pg_advisory_lock(" + LOCK + ")");
        }
        return new AppendStages(database, stage, holder);
    }

    /** Waits until an append stands still. */
    void awaitStill() {
        Awaitility.await()
                .atMost(Engines.PATIENCE)
                .until(() -> database.number("select count(*) from pg_locks where locktype = 'advisory' and objid = "
                                + LOCK + " and not granted")
                        == 1);
    }

    /** Lets go, and waits until the session that stood still is gone or done. */
    void release() throws SQLException {
        holder.close();
        Awaitility.await()
                .atMost(Engines.PATIENCE)
                .until(() -> database.number("select count(*) from pg_stat_activity where datname = current_database()"
                                + " and pid <> pg_backend_pid() and state <> 'idle'")
                        == 0);
    }

    /** Works after a crash of the server too. */
    @Override
    public void close() throws SQLException {
        holder.close();
        database.execute("drop trigger if exists stage on " + stage.table());
    }
}
