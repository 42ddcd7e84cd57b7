// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import dev.fanout.Entity;
import dev.fanout.Settings;
import dev.fanout.StreamSpec;
import dev.fanout.spi.Appends.EntityAppend;
import dev.fanout.spi.Appends.Result;
import dev.fanout.spi.Appends.Route;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Lease;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Outbox.Placed;
import dev.fanout.spi.Outbox.Publication;
import dev.fanout.spi.Store;
import dev.fanout.spi.StreamPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** One node's open store, with a stream of two partitions, one of one partition, and two children. */
abstract class Scene<T> {

    static final StreamSpec ASSETS =
            StreamSpec.named("assets").entities("asset").partitions(2);
    static final StreamSpec AUDIT = StreamSpec.named("audit");
    static final Declaration.Child SEARCH =
            new Declaration.Child("search", "assets", "SELF_GATED", true, "00000000000000a1");
    static final Declaration.Child TABLE =
            new Declaration.Child("table", "assets", "TRANSACTIONAL", true, "00000000000000a2");

    Harness<T> harness;
    Store<T> store;
    Layout layout;

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "contract");
        thread.setDaemon(true);
        return thread;
    });

    abstract Harness<T> newHarness() throws Exception;

    @BeforeEach
    void open() throws Exception {
        harness = newHarness();
        store = harness.connect();
        layout = store.open(declaration(Settings.defaults()));
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        harness.close();
    }

    static Declaration declaration(Settings settings) {
        return new Declaration(List.of(ASSETS, AUDIT), List.of(SEARCH, TABLE), new TextCodec(), settings);
    }

    /** One more node on the same database, open. */
    Store<T> anotherNode() throws Exception {
        Store<T> other = harness.connect();
        other.open(declaration(Settings.defaults()));
        return other;
    }

    StreamPartition assets(int partition) {
        return new StreamPartition(layout.stream("assets").orElseThrow().no(), partition);
    }

    StreamPartition audit() {
        return new StreamPartition(layout.stream("audit").orElseThrow().no(), 0);
    }

    static Route route(StreamPartition to) {
        return new Route(Look.LANE, to.stream(), to.partition());
    }

    Layout.Attachment child(String name) {
        return layout.attachment(name).orElseThrow();
    }

    List<Result> append(T tx, Given... appends) {
        List<EntityAppend> batch = new ArrayList<>();
        for (Given append : appends) {
            batch.add(append.build());
        }
        return store.appends().append(tx, batch);
    }

    /** Appends in a transaction of its own, which is rolled back if the append is refused. */
    List<Result> appended(Given... appends) throws Exception {
        T tx = harness.begin();
        List<Result> results;
        try {
            results = append(tx, appends);
        } catch (RuntimeException e) {
            harness.rollback(tx);
            throw e;
        }
        harness.commit(tx);
        return results;
    }

    static Result written(long version) {
        return new Result.Written(version);
    }

    Optional<Entity> find(String id) throws Exception {
        T tx = harness.begin();
        Optional<Entity> found = store.appends().find(tx, Given.asset(id));
        harness.rollback(tx);
        return found;
    }

    /** Takes what nobody has taken yet. */
    Lease take(String resource) {
        long node = store.leases().join("contract", Set.of("search", "table"));
        return store.leases().take(resource, 0, node).orElseThrow();
    }

    /** Takes what another node owns, which is then stale. */
    Lease takeOver(Lease lease) {
        long node = store.leases().join("usurper", Set.of("search", "table"));
        return store.leases().take(lease.resource(), lease.token(), node).orElseThrow();
    }

    Lease takeLane() {
        return take("lane/" + Look.LANE);
    }

    List<Placed> placed(Look look) {
        return publish(look).placed();
    }

    Publication publish(Look look) {
        return store.outbox().publish(look.build());
    }

    long waiting() {
        return store.outbox().waiting(Look.LANE);
    }

    /** A child as another attachment of it would be. */
    Layout.Attachment ofAnotherEpoch(Layout.Attachment own) {
        return new Layout.Attachment(
                own.no(), own.child(), own.stream(), "00000000000000ee", own.paused(), own.delay(), own.target());
    }

    List<LogRecord> read(StreamPartition partition) {
        return store.log()
                .read(partition, 0, 100_000, Long.MAX_VALUE, Duration.ZERO)
                .records();
    }

    <R> Future<R> inBackground(Callable<R> work) {
        return threads.submit(work);
    }

    static <R> R await(Future<R> result) throws Exception {
        return result.get(60, TimeUnit.SECONDS);
    }
}
