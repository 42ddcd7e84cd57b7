// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.ChildSpec;
import dev.fanout.Event;
import dev.fanout.Filter;
import dev.fanout.Projection;
import dev.fanout.spi.Appends.Route;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.Cursors.Forward;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Platform;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a child of this node drives, and how: the same for all its partitions.
 *
 * @param <T> the transaction handle of the store
 * @param spec the declaration
 * @param health what the child did lately
 * @param routing where a record goes in the child stream; null for a projection
 */
public record Drive<T>(ChildSpec<T> spec, Health health, @Nullable Function<Event, Route> routing) {

    boolean passes(Event event) {
        Filter filter = spec.filter();
        return filter == null || filter.passes(event);
    }

    boolean latestOnly() {
        return spec.isLatestOnly();
    }

    Delivery<T> delivery(Cursors<T> cursors, Handler handler, Platform platform) {
        if (routing != null) {
            return Delivery.forward();
        }
        Projection foreign = spec.projection();
        if (foreign == null) {
            return Delivery.to(Objects.requireNonNull(spec.transactional()), handler, cursors);
        }
        return spec.concurrency() == 1
                ? Delivery.to(foreign, handler)
                : Delivery.concurrently(foreign, handler, platform, spec.concurrency());
    }

    List<Forward> forwarded(List<LogRecord> records) {
        Function<Event, Route> known = routing;
        return known == null
                ? List.of()
                : records.stream()
                        .map(record -> new Forward(record.position(), known.apply(record.event())))
                        .toList();
    }
}
