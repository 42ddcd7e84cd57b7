// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.ChildSpec;
import dev.fanout.Event;
import dev.fanout.Projection;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Forward;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Platform;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a child of this node drives, and how: the same for all its partitions.
 *
 * @param <T> the transaction handle of the store
 * @param spec the declaration
 * @param passing what lets events through
 * @param health what the child did lately
 * @param routing how records go on to the child stream; null for a projection
 */
public record Drive<T>(
        ChildSpec<T> spec,
        Passing passing,
        Health health,
        @Nullable Routing routing) {

    boolean passes(Event event) {
        return passing.test(event);
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
        Routing known = routing;
        return known == null
                ? List.of()
                : records.stream()
                        .map(record -> new Forward(
                                record.position(),
                                record.entityNo(),
                                record.event().version(),
                                known.route().apply(record.event())))
                        .toList();
    }

    /** Tells that a step is written. */
    void wrote(Advance step) {
        if (routing != null && !step.forwarded().isEmpty()) {
            routing.written().run();
        }
    }
}
