// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.order;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Fanout;
import dev.fanout.postgres.tests.kit.Books;
import dev.fanout.postgres.tests.kit.Diary;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.EmbeddedPostgres;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** Scar 6: after dump and restore into a young cluster, stored transaction ids lay in the future. */
@FanoutTest
class RestoreTest {

    private static final String TABLES = """
            select c.relname from pg_class c
             where c.relnamespace = 'fanout'::regnamespace and c.relkind = 'r' and c.relname <> 'flyway_schema_history'
             order by c.relname""";

    @TempDir
    private Path dump;

    @Test
    void a_dump_restored_into_a_young_cluster_delivers_what_waited_and_what_comes(TestDatabase old) throws Exception {
        burnTransactionIds(old);
        Diary before = new Diary();
        try (HikariDataSource pool = old.pool(4)) {
            try (Fanout<Connection> fanout = Engines.started(pool, before)) {
                Engines.append(fanout, "x");
                Engines.append(fanout, "x");
                before.awaitLine("x", 2);
            }
            try (Fanout<Connection> appender = Engines.on(pool).build()) {
                Engines.append(appender, "x");
                Engines.append(appender, "y");
            }
        }
        try (EmbeddedPostgres young = EmbeddedPostgres.start();
                TestDatabase restored = young.createDatabase()) {
            assertThat(xid(restored)).isLessThan(xid(old));
            dump(old);
            try (HikariDataSource pool = restored.pool(4)) {
                Engines.on(pool).build().close();
                restore(old, restored);

                Diary after = new Diary();
                try (Fanout<Connection> fanout = Engines.started(pool, after)) {
                    Engines.append(fanout, "x");
                    after.awaitLine("x", 4);
                    after.awaitLine("y", 1);
                    new Books(restored).awaitDrained();
                }
                assertThat(after.versions("x")).containsExactly(3L, 4L);
                new Books(restored).assertBalanced();
            }
        }
    }

    /** A subtransaction that writes has an id of its own. */
    private static void burnTransactionIds(TestDatabase database) {
        database.execute("""
                create table burnt (i integer);
                do $$
                begin
                    for i in 1 .. 20000 loop
                        begin
                            insert into burnt values (i);
                        exception when division_by_zero then null;
                        end;
                    end loop;
                end $$""");
    }

    private static long xid(TestDatabase database) {
        return database.number("select pg_current_xact_id()::text::bigint");
    }

    private void dump(TestDatabase from) throws Exception {
        for (String table : from.column(TABLES)) {
            try (Connection connection = from.connect();
                    OutputStream file = Files.newOutputStream(dump.resolve(table))) {
                copy(connection).copyOut("copy fanout." + table + " to stdout", file);
            }
        }
    }

    /** As pg_restore does it: rows first, then the sequences' values. */
    private void restore(TestDatabase from, TestDatabase to) throws Exception {
        List<String> tables = to.column(TABLES);
        try (Connection connection = to.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set session_replication_role = replica");
            statement.execute("truncate fanout." + String.join(", fanout.", tables) + " cascade");
            for (String table : tables) {
                try (InputStream file = Files.newInputStream(dump.resolve(table))) {
                    copy(connection).copyIn("copy fanout." + table + " from stdin", file);
                }
            }
        }
        for (String sequence : from.column(
                "select sequencename from pg_sequences where schemaname = 'fanout'" + " and last_value is not null")) {
            long last = from.number("select last_value from fanout." + sequence);
            to.text("select setval('fanout." + sequence + "', ?)", last);
        }
    }

    private static CopyManager copy(Connection connection) throws Exception {
        return connection.unwrap(PGConnection.class).getCopyAPI();
    }
}
