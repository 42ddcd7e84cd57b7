// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kills;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Fanout;
import dev.fanout.postgres.tests.kit.Accounts;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.ChildJvm;
import dev.fanout.testkit.EmbeddedPostgres;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The process is killed with entities parked, wishes for them pending, and records on their way to a child stream. */
class ParkedKilledTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int BATCH = 200;

    private final EmbeddedPostgres server = EmbeddedPostgres.builder().durable().start();
    private final TestDatabase database = server.createDatabase();
    private final HikariDataSource pool = database.pool(2);
    private final Random random = new Random(7);
    private Fanout<Connection> host;
    private int events;

    @BeforeEach
    void application() {
        database.execute(Applied.TABLE);
        host = ParkingProcess.engine(pool, false);
    }

    @AfterEach
    void stop() {
        host.close();
        pool.close();
        database.close();
        server.close();
    }

    @Test
    void nothing_is_lost_repeated_or_miscounted_whatever_was_parked_or_asked_for_when_the_killer_came()
            throws Exception {
        append();
        for (int round = 0; round < Hits.rounds(); round++) {
            killOnTheWay(round % 3 == 2 ? ParkingProcess.WELL : ParkingProcess.BROKEN);
        }
        try (ChildJvm last = engine(ParkingProcess.WELL)) {
            last.awaitLine("started", LIMIT);
            append();
            Awaitility.await().atMost(LIMIT).until(() -> {
                wish();
                Accounts.assertConserved(database);
                return parked() == 0
                        && database.number("select count(*) from applied") >= events
                        && retold() >= events
                        && database.number("select count(*) from fanout.outbox") == 0;
            });
        }
        Accounts.assertConserved(database);
        assertThat(retold()).isEqualTo(events);
        assertThat(database.number("select count(distinct event_seq) from fanout.log where stream = " + retries()))
                .isEqualTo(events);
        assertThat(database.number("select count(*) from applied")).isEqualTo(events);
        assertThat(database.number("select count(*) from (select version, row_number() over"
                        + " (partition by asset order by no) as nth from applied) a where version <> nth"))
                .as("versions applied out of order, twice or not at all")
                .isZero();
        assertThat(database.number("select coalesce(sum(lost), 0) from fanout.cursor"))
                .isZero();
    }

    /** Kills when some part of what was appended has arrived, wherever everything else is then. */
    private void killOnTheWay(String mood) throws Exception {
        try (ChildJvm engine = engine(mood)) {
            engine.awaitLine("started", LIMIT);
            long before = progress();
            append();
            long enough = before + 50 + random.nextInt(BATCH);
            Awaitility.await().pollInterval(Duration.ofMillis(20)).atMost(LIMIT).until(() -> {
                Accounts.assertConserved(database);
                if (random.nextInt(3) == 0) {
                    wish();
                }
                return progress() >= enough;
            });
            wish();
            engine.kill();
        }
        Accounts.assertConserved(database);
    }

    private void wish() {
        host.children().requeue("applied");
        host.children().requeue("to-retries");
    }

    private void append() throws Exception {
        for (int i = 0; i < 4; i++) {
            host.inTransaction(tx -> host.append(
                    tx,
                    IntStream.range(0, BATCH / 4)
                            .mapToObj(n -> Engines.renamed("asset-" + n % 10))
                            .toList()));
        }
        events += BATCH;
    }

    private long progress() {
        return database.number("select count(*) from applied") + retold() + parked();
    }

    private long parked() {
        return database.number("select count(*) from fanout.parked_event");
    }

    private long retold() {
        return database.number("select count(*) from fanout.log where stream = " + retries());
    }

    private long retries() {
        return database.number("select no from fanout.stream where name = 'retries'");
    }

    private ChildJvm engine(String mood) {
        List<String> arguments = List.of(database.jdbcUrl(), database.user(), mood);
        return ChildJvm.running(ParkingProcess.class)
                .options("-Xmx64m", "-XX:TieredStopAtLevel=1")
                .arguments(arguments.toArray(String[]::new))
                .start();
    }
}
