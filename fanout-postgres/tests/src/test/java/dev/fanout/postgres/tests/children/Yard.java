// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.children;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Appended;
import dev.fanout.ChildSpec;
import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.FanoutListener;
import dev.fanout.ParkedEntity;
import dev.fanout.Settings;
import dev.fanout.Status;
import dev.fanout.postgres.tests.kit.Accounts;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** A running engine with one stream of assets and one child of it, and shorthands for both. */
final class Yard implements AutoCloseable {

    /** Gives an event up after little time; what tells poison from outage is as it is. */
    static final Settings HASTY = Engines.BRISK
            .retryBackoff(Duration.ofMillis(20))
            .retryBackoffCap(Duration.ofMillis(100))
            .attempts(3);

    private final TestDatabase database;
    private final HikariDataSource pool;
    private final Set<String> parkedOnce = ConcurrentHashMap.newKeySet();
    final Fanout<Connection> fanout;

    private Yard(
            TestDatabase database,
            int partitions,
            Settings settings,
            UnaryOperator<Fanout.Builder<Connection>> more,
            UnaryOperator<ChildSpec<Connection>> child) {
        this.database = database;
        this.pool = database.pool(6);
        this.fanout = more.apply(Engines.on(pool, partitions).settings(settings))
                .child(
                        Engines.CHILD,
                        spec -> child.apply(spec.of(Engines.STREAM).fromBeginning()))
                .listener(new FanoutListener() {
                    @Override
                    public void parked(String of, int partition, Event event, String cause) {
                        parkedOnce.add(event.entity().id());
                    }
                })
                .build();
        fanout.start();
    }

    static Yard with(TestDatabase database, UnaryOperator<ChildSpec<Connection>> child) {
        return with(database, 1, HASTY, child);
    }

    static Yard with(
            TestDatabase database, int partitions, Settings settings, UnaryOperator<ChildSpec<Connection>> child) {
        return new Yard(database, partitions, settings, builder -> builder, child);
    }

    static Yard with(
            TestDatabase database,
            UnaryOperator<Fanout.Builder<Connection>> more,
            UnaryOperator<ChildSpec<Connection>> child) {
        return new Yard(database, 1, HASTY, more, child);
    }

    /** Appends one event to each of these assets, in one transaction. */
    List<Appended> append(List<String> assets) {
        try {
            return fanout.inTransaction(tx ->
                    fanout.append(tx, assets.stream().map(Engines::renamed).toList()));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    Appended append(String asset) {
        return append(List.of(asset)).get(0);
    }

    /** Appends an event to each of so many assets. */
    void appendToEach(String prefix, int assets) {
        List<String> ids = IntStream.range(0, assets).mapToObj(i -> prefix + i).toList();
        for (int from = 0; from < assets; from += 1_000) {
            append(ids.subList(from, Math.min(assets, from + 1_000)));
        }
    }

    /** Appends so many events to one asset. */
    void appendMany(String asset, int events) {
        for (int left = events; left > 0; left -= 1_000) {
            append(Collections.nCopies(Math.min(left, 1_000), asset));
        }
    }

    /** Keeps a good asset busy, so that it shows that the store is well, until the others are parked. */
    void parkWhileOthersSucceed(String... ids) {
        append(List.of(ids));
        await().atMost(Engines.PATIENCE).until(() -> {
            append("good");
            return parkedOnce.containsAll(List.of(ids));
        });
        parkedOnce.clear();
    }

    List<ParkedEntity> parked() {
        return fanout.children().parked(Engines.CHILD, 10_000);
    }

    List<String> parkedIds() {
        return parked().stream().map(one -> one.entity().id()).sorted().toList();
    }

    void requeue() {
        fanout.children().requeue(Engines.CHILD);
    }

    void requeue(String asset) {
        fanout.children().requeue(Engines.CHILD, EntityRef.of("asset", asset));
    }

    void discard(String asset) {
        fanout.children().discard(Engines.CHILD, EntityRef.of("asset", asset));
    }

    Status.Child status() {
        return fanout.status().children().get(0);
    }

    void awaitParked(Predicate<List<String>> ids) {
        await().atMost(Engines.PATIENCE).until(() -> ids.test(parkedIds()));
    }

    /** Waits until all is examined, and looks at the accounts on the way. */
    void awaitDrained() {
        await().atMost(Engines.PATIENCE).until(() -> {
            Accounts.assertConserved(database);
            return fanout.status().isDrained();
        });
        Accounts.assertConserved(database);
    }

    @Override
    public void close() {
        fanout.close();
        pool.close();
    }
}
