// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kills;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.postgres.tests.kit.Engines;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** An engine in a process of its own, which stands still in the middle of a batch if it is asked to, and waits for its end. */
final class EngineProcess {

    /** An event of every slab of the tests comes behind this many others of the slab. */
    private static final int HALF = 5;

    private EngineProcess() {}

    public static void main(String[] arguments) throws Exception {
        Hits hits = Hits.valueOf(arguments[3]);
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(arguments[0]);
            pool.setUsername(arguments[1]);
            pool.setMaximumPoolSize(4);
            try (Fanout<Connection> fanout = engine(pool, Path.of(arguments[2]), hits)) {
                fanout.start();
                System.out.println("started");
                System.out.println("told to stop: " + System.in.read());
            }
        }
    }

    /** The engine of both kill tests: a plain child, and a transactional one. */
    static Fanout<Connection> engine(HikariDataSource pool, Path chronicle, Hits hits) {
        return Engines.on(pool, 2)
                .child(
                        "chronicle",
                        child -> child.of(Engines.STREAM)
                                .projection(new Chronicle(chronicle, hits == Hits.PLAIN ? still() : event -> {}))
                                .fromBeginning())
                .child(
                        "applied",
                        child -> child.of(Engines.STREAM)
                                .transactional(new Applied(hits == Hits.TRANSACTIONAL ? still() : event -> {}))
                                .fromBeginning())
                .build();
    }

    private static Consumer<Event> still() {
        AtomicInteger told = new AtomicInteger();
        return event -> {
            if (told.incrementAndGet() == HALF) {
                System.out.println("in flight");
                forEver();
            }
        };
    }

    private static void forEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
