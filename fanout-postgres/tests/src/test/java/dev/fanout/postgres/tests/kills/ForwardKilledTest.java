// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kills;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Append;
import dev.fanout.EntityRef;
import dev.fanout.Fanout;
import dev.fanout.testkit.ChildJvm;
import dev.fanout.testkit.EmbeddedPostgres;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The process is killed while it passes records on to child streams, three levels deep, and another takes over. */
class ForwardKilledTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int LOCK = 4713;

    private final EmbeddedPostgres server = EmbeddedPostgres.builder().durable().start();
    private final TestDatabase database = server.createDatabase();
    private final HikariDataSource pool = database.pool(2);
    private Fanout<Connection> appender;

    @BeforeEach
    void application() {
        database.execute(Applied.TABLE);
        appender = ForwardingProcess.engine(pool);
        database.execute("create function still() returns trigger language plpgsql as $$ begin"
                + " perform pg_advisory_xact_lock_shared(" + LOCK + "); return null; end $$;"
                // only what a cursor writes: appends go to the first stream
                + " create trigger still after insert on fanout.outbox for each row"
                + " when (new.stream <> " + streamNo("assets") + ") execute function still()");
    }

    @AfterEach
    void stop() {
        appender.close();
        pool.close();
        database.close();
        server.close();
    }

    @Test
    void nothing_is_lost_and_nothing_repeated_on_the_way_through_three_streams() throws Exception {
        int events = 0;
        for (int round = 0; round < Hits.rounds(); round++) {
            events += killInFlight();
            events += append();
        }
        try (ChildJvm last = engine()) {
            last.awaitLine("started", LIMIT);
            awaitEachIn("leaf", events);
        }
        for (String stream : List.of("assets", "retries", "archive", "leaf")) {
            assertEachOnceInOrder(stream, events);
        }
        assertThat(database.number("select count(*) from applied")).isEqualTo(events);
        assertThat(database.number("select count(distinct (asset, version)) from applied"))
                .isEqualTo(events);
        assertThat(database.number("select count(*) from fanout.event")).isEqualTo(events);
        assertThat(database.number("""
                        select count(*) from (
                            select n.tenant from fanout.log l join fanout.event e on e.seq = l.event_seq
                              join fanout.entity n on n.no = e.entity_no join fanout.stream s on s.no = l.stream
                             where s.name = 'archive' group by n.tenant having count(distinct l.partition) > 1) t"""))
                .as("tenants that span partitions of the stream by tenant")
                .isZero();
    }

    private int killInFlight() throws Exception {
        int events;
        try (Connection holder = database.connect();
                Statement statement = holder.createStatement()) {
            statement.execute("select pg_advisory_lock(" + LOCK + ")");
            try (ChildJvm engine = engine()) {
                engine.awaitLine("started", LIMIT);
                events = append();
                awaitForwardInFlight();
                engine.kill();
            }
        }
        return events;
    }

    private void awaitForwardInFlight() {
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> database.number("select count(*) from pg_locks where locktype = 'advisory' and objid = "
                                + LOCK + " and not granted")
                        > 0);
    }

    private void awaitEachIn(String stream, int events) {
        Awaitility.await()
                .atMost(LIMIT)
                .until(() ->
                        database.number("select count(*) from fanout.log where stream = " + streamNo(stream)) >= events
                                && database.number("select count(*) from applied") >= events
                                && database.number("select count(*) from fanout.outbox") == 0);
    }

    private void assertEachOnceInOrder(String stream, int events) {
        int no = (int) streamNo(stream);
        assertThat(database.number("select count(*) from fanout.log where stream = " + no))
                .as("records of %s", stream)
                .isEqualTo(events);
        assertThat(database.number("select count(distinct event_seq) from fanout.log where stream = " + no))
                .as("events of %s", stream)
                .isEqualTo(events);
        assertThat(database.number("""
                        select count(*)
                          from (select e.version, l.partition,
                                       lag(e.version) over w as before, lag(l.partition) over w as partition_before
                                  from fanout.log l join fanout.event e on e.seq = l.event_seq
                                 where l.stream = %d window w as (partition by e.entity_no order by l.position)) o
                         where before >= version or partition_before <> partition""".formatted(no)))
                .as("records of %s out of order, or of an entity in two partitions", stream)
                .isZero();
    }

    private long streamNo(String stream) {
        return database.number("select no from fanout.stream where name = '" + stream + "'");
    }

    private ChildJvm engine() {
        return ChildJvm.running(ForwardingProcess.class)
                .options("-Xmx64m", "-XX:TieredStopAtLevel=1")
                .arguments(database.jdbcUrl(), database.user())
                .start();
    }

    /** Three events for each of twenty assets of four tenants, in one transaction. */
    private int append() {
        List<Append> batch = IntStream.range(0, 60)
                .mapToObj(i -> Append.to(new EntityRef("t" + i % 4, "asset", "asset-" + i % 20))
                        .eventJson("asset.renamed", "{\"n\": " + i + "}"))
                .toList();
        try {
            return appender.inTransaction(tx -> appender.append(tx, batch)).size();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
