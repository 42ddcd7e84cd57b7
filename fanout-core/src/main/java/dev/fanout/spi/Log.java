// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import dev.fanout.EntityRef;
import dev.fanout.Event;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The published streams. */
public interface Log {

    /**
     * Records, and when there will be more.
     *
     * @param records records in order, dense but where some were removed
     * @param dueIn where the record behind these is there and not due yet, how long it takes by the database's clock
     */
    record Slab(List<LogRecord> records, Optional<Duration> dueIn) {

        /** Copies the list. */
        public Slab {
            records = List.copyOf(records);
        }
    }

    /**
     * Reads records in order, in one statement. A record is due when it was published at least {@code delay} before the
     * database's clock; the first that is not due proves that none behind it is.
     *
     * @param partition which partition
     * @param from the first position wanted
     * @param limit how many records at the most
     * @param bytes how many bytes of payload and headers at the most; the first record comes in any case
     * @param delay how old a record must be; zero for as it comes
     * @return the records from the first kept position at or behind {@code from}, as far as they are due
     * @throws UnreadableException if so much can't be read at once
     */
    Slab read(StreamPartition partition, long from, int limit, long bytes, Duration delay);

    /**
     * Reads one event of an entity's history, published or not.
     *
     * @param entity which entity
     * @param version which version
     * @return the event, if it is committed
     */
    Optional<Event> event(EntityRef entity, long version);
}
