// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import static dev.fanout.internal.cursor.Records.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Settings;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.StreamPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FreshTest {

    private static final StreamPartition AT = new StreamPartition(1, 0);
    private static final StreamPartition ELSEWHERE = new StreamPartition(1, 1);

    /** Keeps 20 records or 2,000 bytes. */
    private final Fresh fresh = new Fresh(Settings.defaults().slabRecords(10).slabBytes(1_000));

    @Test
    void a_cursor_finds_the_records_from_exactly_its_position() {
        publish(0, 10);

        assertThat(positions(4, 3)).containsExactly(4L, 5L, 6L);
        assertThat(positions(9, 3)).containsExactly(9L);
        assertThat(positions(10, 3)).isEmpty();
        assertThat(fresh.read(ELSEWHERE, 0, 10)).isEmpty();
    }

    @Test
    void the_oldest_are_dropped_and_no_position_is_answered_wrongly() {
        for (long from = 0; from < 300; from += 7) {
            publish(from, from + 7);
            for (long at = Math.max(0, from - 30); at < from + 7; at++) {
                List<Long> found = positions(at, 5);
                assertThat(found.isEmpty() || found.get(0) == at).isTrue();
            }
            assertThat(positions(from, 100)).hasSize(7);
        }
        assertThat(positions(280, 100)).isEmpty();
    }

    @Test
    void many_bytes_are_dropped_before_many_records() {
        fresh.published(AT, 3, List.of(record(0, 1, 1, 900), record(1, 1, 2, 900), record(2, 1, 3, 900)));

        assertThat(positions(0, 10)).isEmpty();
        assertThat(positions(1, 10)).containsExactly(1L, 2L);
    }

    @Test
    void a_record_larger_than_all_room_is_not_kept() {
        fresh.published(AT, 1, List.of(record(0, 1, 1, 5_000)));

        assertThat(positions(0, 10)).isEmpty();
        publish(1, 3);
        assertThat(positions(1, 10)).containsExactly(1L, 2L);
    }

    @Test
    void a_hole_begins_a_new_run_so_that_no_cursor_passes_over_it() {
        publish(0, 5);
        fresh.published(AT, 8, List.of());
        publish(8, 10);

        assertThat(positions(3, 10)).isEmpty();
        assertThat(positions(5, 10)).isEmpty();
        assertThat(positions(8, 10)).containsExactly(8L, 9L);
        assertThat(fresh.isTail(AT, 10)).isTrue();
        assertThat(fresh.isTail(AT, 8)).isFalse();
        assertThat(fresh.isTail(ELSEWHERE, 0)).isFalse();
    }

    @Test
    void only_the_readers_of_the_partition_are_told_and_how() {
        Reader here = new Reader(AT, 0);
        Reader there = new Reader(ELSEWHERE, 0);
        fresh.add(here);
        fresh.add(there);

        publish(0, 1);
        fresh.grown(AT);
        fresh.allGrown();
        fresh.remove(here);
        fresh.allGrown();

        assertThat(here.told).containsExactly(true, false, false);
        assertThat(there.told).containsExactly(false, false);
    }

    @Test
    void events_are_wanted_while_a_reader_is_near_the_tail() {
        assertThat(fresh.isWanted(Map.of(AT, 5L))).isFalse();
        fresh.add(new Reader(AT, 90));
        assertThat(fresh.isWanted(Map.of())).isTrue();
        assertThat(fresh.isWanted(Map.of(AT, 95L))).isTrue();
        assertThat(fresh.isWanted(Map.of(AT, 900L))).isFalse();
    }

    @Test
    void what_is_cleared_is_neither_read_nor_the_tail() {
        publish(0, 5);
        fresh.clear();

        assertThat(positions(0, 5)).isEmpty();
        assertThat(fresh.isTail(AT, 5)).isFalse();
    }

    private void publish(long from, long to) {
        fresh.published(
                AT,
                to,
                LongStream.range(from, to).mapToObj(at -> record(at, 1, at + 1)).toList());
    }

    private List<Long> positions(long from, int limit) {
        return fresh.read(AT, from, limit).stream().map(LogRecord::position).toList();
    }

    private static final class Reader implements Fresh.Reader {

        private final StreamPartition partition;
        private final long position;
        private final List<Boolean> told = new ArrayList<>();

        Reader(StreamPartition partition, long position) {
            this.partition = partition;
            this.position = position;
        }

        @Override
        public StreamPartition partition() {
            return partition;
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public void grown(boolean here) {
            told.add(here);
        }
    }
}
