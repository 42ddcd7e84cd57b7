// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kills;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Append;
import dev.fanout.Appended;
import dev.fanout.Fanout;
import dev.fanout.postgres.tests.kit.Books;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.ChildJvm;
import dev.fanout.testkit.EmbeddedPostgres;
import dev.fanout.testkit.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine's process is killed with a batch in flight, and another takes over. */
class EngineKilledTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private final EmbeddedPostgres server = EmbeddedPostgres.builder().durable().start();
    private final TestDatabase database = server.createDatabase();
    private final Set<String> acknowledged = new TreeSet<>();
    private Path chronicle;
    private Fanout<Connection> appender;

    @BeforeEach
    void application() {
        chronicle = directory.resolve("chronicle");
        database.execute(Applied.TABLE);
        // with its children, so that they are attached before the first append
        appender = EngineProcess.engine(database.pool(2), chronicle, Hits.PUBLICATION);
    }

    @AfterEach
    void stop() {
        appender.close();
        database.close();
        server.close();
    }

    @Test
    void a_killed_engine_loses_nothing_and_repeats_no_transactional_effect() throws Exception {
        for (int round = 0; round < Hits.rounds(); round++) {
            killInFlight(Hits.of(round));
            Chronicle.cut(chronicle);
            append();
        }
        try (ChildJvm last = engine(Hits.PUBLICATION)) {
            last.awaitLine("started", LIMIT);
            new Books(database).awaitDrained();
        }
        new Ledger(database, chronicle).assertNothingLostAndNothingTwice(acknowledged);
    }

    private void killInFlight(Hits hits) throws Exception {
        append();
        try (Connection holder = hits == Hits.PUBLICATION ? Hits.publicationsStandStill(database) : database.connect();
                ChildJvm engine = engine(hits)) {
            if (hits == Hits.PUBLICATION) {
                Hits.awaitPublicationInFlight(database);
            } else {
                engine.awaitLine("in flight", LIMIT);
            }
            engine.kill();
            assertThat(holder.isValid(5)).as("the server lives").isTrue();
        }
    }

    private ChildJvm engine(Hits hits) {
        return ChildJvm.running(EngineProcess.class)
                .options("-Xmx64m", "-XX:TieredStopAtLevel=1")
                .arguments(database.jdbcUrl(), database.user(), chronicle.toString(), hits.name())
                .start();
    }

    /** Three events for each of twenty assets, in one transaction: slabs of thirty in each partition. */
    private void append() throws Exception {
        List<Append> batch = IntStream.range(0, 60)
                .mapToObj(i -> Engines.renamed("asset-" + i % 20))
                .toList();
        List<Appended> appended = appender.inTransaction(tx -> appender.append(tx, batch));
        appended.forEach(one -> acknowledged.add(one.entity().id() + " " + one.version()));
    }
}
