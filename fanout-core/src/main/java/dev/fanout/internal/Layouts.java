// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.StoreUnavailableException;
import dev.fanout.internal.append.Routes;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Platform;
import dev.fanout.spi.Store;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What an engine knows of streams and children: from its node, which sees it every second, or else read again when it is
 * older than that. Safe for use by many threads.
 *
 * @param <T> the transaction handle of the store
 */
final class Layouts<T> {

    private static final long FRESH = TimeUnit.SECONDS.toNanos(1);

    private final Store<T> store;
    private final Parts<T> parts;
    private final Platform platform;

    private volatile @Nullable Known known;
    private volatile @Nullable Routes routes;

    private record Known(Layout layout, long at) {}

    Layouts(Store<T> store, Parts<T> parts) {
        this.store = store;
        this.parts = parts;
        this.platform = store.platform();
    }

    /** Takes in what opening the store has found. */
    void opened(Layout layout) {
        routes = new Routes(parts.streams(), layout);
        known = new Known(layout, platform.nanoTime());
    }

    boolean isOpen() {
        return known != null;
    }

    /** Makes the next question read again. */
    void outdated() {
        Known now = known;
        if (now != null) {
            known = new Known(now.layout(), now.at() - FRESH);
        }
    }

    /** The layout, empty before the store was opened. May ask the store. */
    Optional<Layout> now(@Nullable LocalNode<T> node) {
        return node != null
                ? Optional.of(node.layout())
                : Optional.ofNullable(known).map(this::fresh);
    }

    private Layout fresh(Known last) {
        long now = platform.nanoTime();
        if (now - last.at() < FRESH) {
            return last.layout();
        }
        Layout layout = store.leases().survey().layout();
        known = new Known(layout, now);
        return layout;
    }

    /** Where events go, read through the application's transaction where the store is not open yet. */
    Routes routes(T tx, @Nullable LocalNode<T> node) {
        Routes last = routes;
        if (last == null) {
            return new Routes(parts.streams(), through(tx));
        }
        if (node != null && !last.isOf(node.layout())) {
            // a stream may have got a parent since
            last = new Routes(parts.streams(), node.layout());
            routes = last;
        }
        return last;
    }

    private Layout through(T tx) {
        return store.appends()
                .layout(tx)
                .orElseThrow(() -> new StoreUnavailableException(
                        "the database was not there when fanout was built, and its schema has not been opened since;"
                                + " it is being tried again in the background",
                        null));
    }
}
