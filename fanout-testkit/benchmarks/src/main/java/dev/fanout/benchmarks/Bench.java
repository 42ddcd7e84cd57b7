// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.benchmarks.Ways.Address;
import dev.fanout.testkit.DatabaseTemplate;
import dev.fanout.testkit.EmbeddedPostgres;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What every figure needs: a durable server, fresh databases with each way's tables, and where results go. */
final class Bench implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Work on a way that has a database of its own. */
    @FunctionalInterface
    interface Work<R> {
        R on(Way way, TestDatabase database) throws SQLException;
    }

    private final EmbeddedPostgres server;
    private final Form form;
    private final Figures figures;
    private final Map<Ways, DatabaseTemplate> templates = new EnumMap<>(Ways.class);

    private Bench(EmbeddedPostgres server, Form form, Figures figures) {
        this.server = server;
        this.form = form;
        this.figures = figures;
    }

    /** Starts a server. But for durability and what its log looks like, its settings are PostgreSQL's defaults. */
    static Bench start(Form form, Figures figures) {
        EmbeddedPostgres.Builder server =
                EmbeddedPostgres.builder().set("log_line_prefix", LoggedStatements.LOG_PREFIX);
        return new Bench(form.durable() ? server.durable().start() : server.start(), form, figures);
    }

    EmbeddedPostgres server() {
        return server;
    }

    Form form() {
        return form;
    }

    Figures figures() {
        return figures;
    }

    /** Does work on a fresh database that nothing else touches. */
    <R> R fresh(Ways kind, Work<R> work) throws SQLException {
        try (TestDatabase database = template(kind).newDatabase();
                Way way = kind.on(Address.of(database))) {
            return work.on(way, database);
        }
    }

    /** The ways in an order that changes from round to round, so that a drift of the machine favours none. */
    static List<Ways> inTurn(int round, Ways... ways) {
        List<Ways> order = new ArrayList<>(List.of(ways));
        Collections.rotate(order, round);
        return order;
    }

    /** Waits for something that is going to happen. */
    static void await(String what, BooleanSupplier happened) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!happened.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("waited " + PATIENCE + " in vain: " + what);
            }
            pause(Duration.ofNanos(500_000));
        }
    }

    /** Lets time pass: it is what these figures measure over. */
    static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public void close() {
        server.close();
    }

    private DatabaseTemplate template(Ways kind) {
        return templates.computeIfAbsent(
                kind,
                way -> server.template(source -> {
                    try (Connection connection = source.getConnection()) {
                        String url = connection.getMetaData().getURL();
                        way.on(new Address(url, server.user(), server.password()))
                                .close();
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                }));
    }
}
