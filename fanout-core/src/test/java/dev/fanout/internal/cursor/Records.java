// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.Payload;
import dev.fanout.internal.json.Jackson3Codec;
import dev.fanout.spi.LogRecord;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** Log records for tests: entity {@code n} at a version, at a position. */
final class Records {

    private Records() {}

    static LogRecord record(long position, long entity, long version) {
        return record(position, entity, version, 100);
    }

    static LogRecord record(long position, long entity, long version, int size) {
        Event event = new Event(
                new UUID(entity, version),
                EntityRef.of("asset", "a" + entity),
                version,
                "asset.changed",
                Payload.of("{}", new Jackson3Codec()),
                Map.of(),
                Instant.EPOCH,
                false);
        return new LogRecord(position, Instant.EPOCH, entity, size, event);
    }
}
