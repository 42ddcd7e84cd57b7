// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kills;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Append;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import dev.fanout.postgres.tests.kit.Books;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.EmbeddedPostgres;
import dev.fanout.testkit.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server is killed with a batch in flight, and the engine goes on when it is back. */
class ServerKilledTest {

    /** A batch that stands still: whoever meets it tells, and waits. */
    private record Trap(Hits hits, CountDownLatch inFlight, CountDownLatch released) {

        Trap(Hits hits) {
            this(hits, new CountDownLatch(1), new CountDownLatch(1));
        }

        void met() {
            inFlight.countDown();
            await(released);
        }

        static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(Engines.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Knows whether a slab is being told: one in flight goes on to its end, whatever becomes of the server. */
    private static final class Watched implements Projection {

        private final Projection real;
        private final AtomicInteger slabs = new AtomicInteger();

        Watched(Projection real) {
            this.real = real;
        }

        @Override
        public Outcome apply(Event event) throws Exception {
            return real.apply(event);
        }

        @Override
        public List<Outcome> apply(List<Event> slab) throws Exception {
            slabs.incrementAndGet();
            try {
                return real.apply(slab);
            } finally {
                slabs.decrementAndGet();
            }
        }

        void awaitStill() {
            Awaitility.await().atMost(Engines.PATIENCE).until(() -> slabs.get() == 0);
        }
    }

    @TempDir
    private Path directory;

    private final EmbeddedPostgres server = EmbeddedPostgres.builder().durable().start();
    private final TestDatabase database = server.createDatabase();
    private final Set<String> acknowledged = new TreeSet<>();
    private final AtomicReference<Trap> trap = new AtomicReference<>();
    private HikariDataSource pool;
    private Path chronicle;
    private Watched told;
    private Fanout<Connection> fanout;

    @BeforeEach
    void start() {
        chronicle = directory.resolve("chronicle");
        database.execute(Applied.TABLE);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setMaximumPoolSize(4);
        pool = new HikariDataSource(config);
        told = new Watched(new Chronicle(chronicle, event -> on(event, Hits.PLAIN)));
        fanout = Engines.on(pool, 2)
                .child(
                        "chronicle",
                        child -> child.of(Engines.STREAM).projection(told).fromBeginning())
                .child(
                        "applied",
                        child -> child.of(Engines.STREAM)
                                .transactional(new Applied(event -> on(event, Hits.TRANSACTIONAL)))
                                .fromBeginning())
                .build();
        fanout.start();
    }

    @AfterEach
    void stop() {
        fanout.close();
        pool.close();
        database.close();
        server.close();
    }

    /** The half of a slab: its second asset of three. */
    private void on(Event event, Hits where) {
        Trap set = trap.get();
        if (set != null && set.hits() == where && event.entity().id().equals("asset-5")) {
            set.met();
        }
    }

    @Test
    void a_killed_server_loses_nothing_and_repeats_no_transactional_effect() throws Exception {
        for (int round = 0; round < Hits.rounds(); round++) {
            killInFlight(new Trap(Hits.of(round)));
            append();
        }
        new Books(database).awaitDrained();

        new Ledger(database, chronicle).assertNothingLostAndNothingTwice(acknowledged);
    }

    private void killInFlight(Trap set) throws Exception {
        try (Connection holder =
                set.hits() == Hits.PUBLICATION ? Hits.publicationsStandStill(database) : database.connect()) {
            trap.set(set);
            append();
            if (set.hits() == Hits.PUBLICATION) {
                Hits.awaitPublicationInFlight(database);
            } else {
                Trap.await(set.inFlight());
            }
            server.kill();
            trap.set(null);
            set.released().countDown();
            told.awaitStill();
            Chronicle.cut(chronicle);
            server.restart();
            assertThat(holder.isValid(1)).isFalse();
        }
    }

    private void append() {
        List<Append> batch = IntStream.range(0, 60)
                .mapToObj(i -> Engines.renamed("asset-" + i % 20))
                .toList();
        Engines.again(fanout, tx -> fanout.append(tx, batch))
                .forEach(one -> acknowledged.add(one.entity().id() + " " + one.version()));
    }
}
