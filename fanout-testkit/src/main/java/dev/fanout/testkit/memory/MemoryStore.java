// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.StartRefusedException;
import dev.fanout.postgres.SystemPlatform;
import dev.fanout.spi.Appends;
import dev.fanout.spi.Attachments;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Leases;
import dev.fanout.spi.Log;
import dev.fanout.spi.Outbox;
import dev.fanout.spi.Parked;
import dev.fanout.spi.Platform;
import dev.fanout.spi.Retention;
import dev.fanout.spi.Store;
import dev.fanout.spi.Wakes;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One node's store on a {@link MemoryDatabase}. It passes the same contract as the one on PostgreSQL, and its
 * transaction handle is a {@link MemoryTransaction}. Safe for use by many threads.
 */
public final class MemoryStore implements Store<MemoryTransaction> {

    private static final Duration LAST_WAKE = Duration.ofSeconds(5);

    private final MemoryDatabase database;
    private final Platform platform;
    private final boolean ownsPlatform;
    private final Opened opened = new Opened();
    private final MemoryWakes wakes;
    private final MemoryAppends appends;
    private final MemoryOutbox outbox;
    private final MemoryLog log;
    private final MemoryCursors cursors;
    private final MemoryParked parked;
    private final MemoryAttachments attachments;
    private final MemoryRetention retention;
    private final MemoryLeases leases;
    private final AtomicBoolean taken = new AtomicBoolean();

    private MemoryStore(MemoryDatabase database, Platform platform, boolean ownsPlatform) {
        this.database = database;
        this.platform = platform;
        this.ownsPlatform = ownsPlatform;
        this.wakes = new MemoryWakes(database, platform);
        this.appends = new MemoryAppends(database, opened);
        this.outbox = new MemoryOutbox(database, opened, wakes);
        this.log = new MemoryLog(database, opened);
        this.cursors = new MemoryCursors(database, opened);
        this.parked = new MemoryParked(database, opened);
        this.attachments = new MemoryAttachments(database);
        this.retention = new MemoryRetention(database);
        this.leases = new MemoryLeases(database, wakes);
    }

    static MemoryStore withOwnThreads(MemoryDatabase database) {
        return new MemoryStore(database, SystemPlatform.create("memory"), true);
    }

    static MemoryStore onPlatform(MemoryDatabase database, Platform platform) {
        return new MemoryStore(database, platform, false);
    }

    /**
     * Makes a store on a database of its own, for tests with one node.
     *
     * @return the store
     */
    public static MemoryStore create() {
        return MemoryDatabase.create().connect();
    }

    /**
     * Returns the database that this node shares with others.
     *
     * @return the database
     */
    public MemoryDatabase database() {
        return database;
    }

    /** Breaks the connection that hears wakes and holds lanes, and makes it again. */
    public void reconnect() {
        wakes.reconnect();
    }

    @Override
    public Platform platform() {
        return platform;
    }

    @Override
    public void take() {
        if (taken.getAndSet(true)) {
            throw new StartRefusedException(
                    "the store already serves an engine, or did: make one store for each engine");
        }
    }

    @Override
    public Layout open(Declaration declaration) {
        synchronized (database) {
            for (Layout.Attachment attachment : database.layout.open(declaration)) {
                attachments.begin(attachment, fromBeginning(attachment, declaration));
            }
            opened.with(declaration.codec(), declaration.settings());
            return database.layout.read().orElseThrow();
        }
    }

    private static boolean fromBeginning(Layout.Attachment attachment, Declaration declaration) {
        return declaration.children().stream()
                .anyMatch(child -> child.name().equals(attachment.child()) && child.fromBeginning());
    }

    @Override
    public void checkMayRun() {}

    @Override
    public Appends<MemoryTransaction> appends() {
        return appends;
    }

    @Override
    public Outbox outbox() {
        return outbox;
    }

    @Override
    public Log log() {
        return log;
    }

    @Override
    public Cursors<MemoryTransaction> cursors() {
        return cursors;
    }

    @Override
    public Parked parked() {
        return parked;
    }

    @Override
    public Attachments attachments() {
        return attachments;
    }

    @Override
    public Retention retention() {
        return retention;
    }

    @Override
    public Leases leases() {
        return leases;
    }

    @Override
    public Wakes wakes() {
        return wakes;
    }

    @Override
    public void close() {
        wakes.stop();
        if (ownsPlatform) {
            platform.shutdown(LAST_WAKE);
        }
    }
}
