// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import dev.fanout.Fanout;
import dev.fanout.FanoutListener;
import dev.fanout.Projection;
import dev.fanout.Settings;
import dev.fanout.TransactionalProjection;
import dev.fanout.postgres.PostgresStore;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;

/** One engine and what belongs to it in this process. It appends from the start, and runs once it is started. */
final class Node implements AutoCloseable {

    static final String STREAM = "assets";
    static final String SEARCH = "search";
    static final String PACKAGES = "packages";
    static final int PARTITIONS = 4;

    static final String MIRROR = "mirror";
    static final String AUDIT = "audit";
    static final String LATER = "later";
    static final String BROKEN = "broken";
    static final Duration DELAY = Duration.ofSeconds(3);

    /** How long a dead node is waited for: two seconds instead of ten, since this is also a show. */
    static final Duration LEASE = Duration.ofSeconds(2);

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Settings SETTINGS = Settings.defaults()
            .heartbeatInterval(Duration.ofMillis(500))
            .leaseLength(LEASE)
            .reconcileInterval(Duration.ofMillis(250));

    private final Fanout<Connection> fanout;
    private final SearchIndex index;
    private final Assets assets;
    private final Deliveries deliveries;

    private Node(Fanout<Connection> fanout, SearchIndex index, Assets assets, Deliveries deliveries) {
        this.fanout = fanout;
        this.index = index;
        this.assets = assets;
        this.deliveries = deliveries;
    }

    /** The declarations, which are the same in every process. */
    static Fanout<Connection> declare(
            String name,
            DataSource dataSource,
            Projection search,
            TransactionalProjection<Connection> packages,
            FanoutListener listener) {
        return declaring(name, dataSource, search, packages, listener).build();
    }

    private static Fanout.Builder<Connection> declaring(
            String name,
            DataSource dataSource,
            Projection search,
            TransactionalProjection<Connection> packages,
            FanoutListener listener) {
        return Fanout.builder(PostgresStore.of(dataSource)).stream(
                        STREAM, s -> s.entities(Assets.TYPE).partitions(PARTITIONS))
                .child(SEARCH, c -> c.of(STREAM).selfGated(search))
                .child(PACKAGES, c -> c.of(STREAM).transactional(packages))
                .settings(SETTINGS)
                .listener(listener)
                .nodeName(name);
    }

    static Node build(String name, DataSource dataSource, Path indexPath) {
        SearchIndex index = new SearchIndex(indexPath);
        Deliveries deliveries = new Deliveries();
        Fanout<Connection> fanout = declare(name, dataSource, index, new PackageTable(), deliveries);
        return new Node(fanout, index, new Assets(dataSource, fanout), deliveries);
    }

    /** What the next release declares besides: a child stream and what hangs on it, a child that waits, and a broken one. */
    static Node buildNext(String name, DataSource dataSource, Path indexPath, BrokenTrail broken) {
        SearchIndex index = new SearchIndex(indexPath);
        Deliveries deliveries = new Deliveries();
        Fanout<Connection> fanout = declaring(name, dataSource, index, new PackageTable(), deliveries).stream(
                        MIRROR, s -> s.partitions(2))
                .child("to-mirror", c -> c.of(STREAM).fromBeginning().stream(MIRROR))
                .child(AUDIT, c -> c.of(MIRROR).fromBeginning().transactional(new Trail(AUDIT)))
                .child(LATER, c -> c.of(STREAM).delay(DELAY).transactional(new Trail(LATER)))
                .child(BROKEN, c -> c.of(STREAM).transactional(broken))
                .build();
        return new Node(fanout, index, new Assets(dataSource, fanout), deliveries);
    }

    Node start() {
        fanout.start();
        return this;
    }

    Fanout<Connection> fanout() {
        return fanout;
    }

    SearchIndex index() {
        return index;
    }

    Assets assets() {
        return assets;
    }

    Deliveries deliveries() {
        return deliveries;
    }

    /** Waits until both children have got all that this node has appended. */
    void awaitDelivered() throws InterruptedException, TimeoutException {
        for (String child : List.of(SEARCH, PACKAGES)) {
            deliveries.await(child, assets.appended(), PATIENCE);
        }
    }

    @Override
    public void close() throws IOException {
        fanout.close();
        index.close();
    }
}
