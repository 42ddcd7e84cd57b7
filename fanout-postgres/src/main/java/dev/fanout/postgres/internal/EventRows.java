// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.Codec;
import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.Payload;
import dev.fanout.spi.LogRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Makes records of the rows that {@code publish.sql}, {@code read-log.sql} and its kin return. One for each slab: what repeats within it
 * (entities, types) is decoded once and shared.
 *
 * <p>Times come as microseconds, which cost a tenth of a timestamp object.
 */
final class EventRows {

    private static final long MICROS = 1_000_000;

    private final Codec codec;
    private final Map<Long, EntityRef> entities = new HashMap<>();
    private final Map<String, String> types = new HashMap<>();

    EventRows(Codec codec) {
        this.codec = codec;
    }

    /**
     * Reads one record.
     *
     * @param row the row
     * @param at the column of the position; committed_at and the event follow in the order of the statements
     * @param payload the payload in the last column
     */
    LogRecord record(ResultSet row, int at, String payload) throws SQLException {
        long entityNo = row.getLong(at + 2);
        Event event = new Event(
                row.getObject(at + 5, UUID.class),
                entity(row, at + 10, entityNo),
                row.getLong(at + 3),
                shared(row.getString(at + 6)),
                Payload.of(payload, codec),
                Headers.decode(row.getString(at + 8)),
                instant(row.getLong(at + 9)),
                row.getBoolean(at + 7));
        return new LogRecord(row.getLong(at), instant(row.getLong(at + 1)), entityNo, row.getInt(at + 4), event);
    }

    private EntityRef entity(ResultSet row, int at, long entityNo) throws SQLException {
        EntityRef known = entities.get(entityNo);
        if (known == null) {
            known = new EntityRef(shared(row.getString(at)), shared(row.getString(at + 1)), row.getString(at + 2));
            entities.put(entityNo, known);
        }
        return known;
    }

    private String shared(String text) {
        String known = types.putIfAbsent(text, text);
        return known == null ? text : known;
    }

    /** Microseconds, as the statements compare and return times. */
    static long micros(Instant time) {
        return time.getEpochSecond() * MICROS + time.getNano() / 1_000;
    }

    /** Rounded up: what is due a little later is not early. */
    static long micros(Duration duration) {
        return duration.plusNanos(999).toNanos() / 1_000;
    }

    static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1_000);
    }
}
