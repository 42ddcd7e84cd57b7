// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.Fanout;
import dev.fanout.Outcome;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** What a transactional projection can do with its connection, and what not. */
@FanoutTest
class LentConnectionTest {

    @FunctionalInterface
    private interface Call {
        void on(Connection tx) throws SQLException;
    }

    @Test
    void a_projection_can_not_end_the_transaction_and_its_effects_stay(TestDatabase database) throws Exception {
        database.execute("drop schema if exists fanout cascade");
        database.execute("create table copy (id text)");
        List<String> refusals = Collections.synchronizedList(new ArrayList<>());
        List<Call> calls = List.of(
                Connection::commit,
                Connection::rollback,
                tx -> tx.setAutoCommit(true),
                Connection::close,
                tx -> tx.abort(Runnable::run));
        try (Fanout<Connection> fanout = Engines.on(database.pool(4))
                .child(
                        "copy",
                        child -> child.of(Engines.STREAM).fromBeginning().transactional((event, tx) -> {
                            insert(tx, event.entity().id());
                            for (Call call : calls) {
                                try {
                                    call.on(tx);
                                } catch (SQLException refused) {
                                    refusals.add(String.valueOf(refused.getMessage()));
                                }
                            }
                            return Outcome.applied();
                        }))
                .build()) {
            fanout.start();
            Appended appended = fanout.inTransaction(tx -> fanout.append(tx, Engines.renamed("a")));
            assertThat(fanout.awaitApplied("copy", appended, Engines.PATIENCE)).isEqualTo(Applied.APPLIED);
        }
        assertThat(refusals).hasSize(calls.size()).allMatch(text -> text.contains("within a transactional projection"));
        assertThat(database.number("select count(*) from copy")).isEqualTo(1);
    }

    @Test
    void a_projection_uses_savepoints_and_the_drivers_own_ways(TestDatabase database) throws Exception {
        database.execute("drop schema if exists fanout cascade");
        database.execute("create table derived (id text)");
        try (Fanout<Connection> fanout = Engines.on(database.pool(4))
                .child(
                        "derived",
                        child -> child.of(Engines.STREAM).fromBeginning().transactional((event, tx) -> {
                            Savepoint savepoint = tx.setSavepoint();
                            insert(tx, "gone");
                            tx.rollback(savepoint);
                            tx.unwrap(PGConnection.class)
                                    .getCopyAPI()
                                    .copyIn(
                                            "copy derived from stdin",
                                            new StringReader(event.entity().id() + "\n"));
                            return Outcome.applied();
                        }))
                .build()) {
            fanout.start();
            Appended appended = fanout.inTransaction(tx -> fanout.append(tx, Engines.renamed("b")));
            assertThat(fanout.awaitApplied("derived", appended, Engines.PATIENCE))
                    .isEqualTo(Applied.APPLIED);
        }
        assertThat(database.number("select count(*) from derived where id = 'b'"))
                .isEqualTo(1);
        assertThat(database.number("select count(*) from derived")).isEqualTo(1);
    }

    private static void insert(Connection tx, String id) throws SQLException {
        try (Statement statement = tx.createStatement()) {
            statement.execute("insert into " + (id.equals("gone") ? "derived" : "copy") + " values ('" + id + "')");
        }
    }
}
