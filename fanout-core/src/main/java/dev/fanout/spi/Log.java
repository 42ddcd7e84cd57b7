// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import java.util.List;

/** The published streams. */
public interface Log {

    /**
     * Reads records in order, in one statement.
     *
     * @param partition which partition
     * @param from the first position wanted
     * @param limit how many records at the most
     * @param bytes how many bytes of payload and headers at the most; the first record comes in any case
     * @return the records from the first kept position at or behind {@code from}, empty at the end. They are dense but
     *     where records were removed
     * @throws UnreadableException if so much can't be read at once
     */
    List<LogRecord> read(StreamPartition partition, long from, int limit, long bytes);
}
