// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import static dev.fanout.internal.cursor.Records.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.Settings;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.StreamPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SlabsTest {

    private static final StreamPartition AT = new StreamPartition(1, 0);
    private static final StreamPartition ELSEWHERE = new StreamPartition(1, 1);

    /** Keeps 20 records without payload. */
    private final Slabs slabs = new Slabs(Settings.defaults().slabRecords(10).memoryBytes(20 * 256));

    private int reads;

    @Test
    void a_cursor_finds_the_records_from_exactly_its_position() {
        publish(0, 10);

        assertThat(positions(4, 3)).containsExactly(4L, 5L, 6L);
        assertThat(positions(9, 3)).containsExactly(9L);
        assertThat(reads).isZero();
    }

    @Test
    void what_was_published_bit_by_bit_is_read_at_once() {
        for (long at = 0; at < 15; at++) {
            publish(at, at + 1);
        }

        assertThat(positions(2, 10)).containsExactly(2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L);
    }

    @Test
    void the_least_used_are_dropped_and_no_position_is_answered_wrongly() {
        Random random = new Random(11);
        for (long from = 0; from < 300; from += 7) {
            publish(from, from + 7);
            for (int n = 0; n < 20; n++) {
                long at = Math.max(0, from + 6 - random.nextInt(40));
                List<Long> found = positions(at, 5);
                assertThat(found.isEmpty() || found.get(0) == at).isTrue();
                assertThat(found).isSorted();
            }
            assertThat(positions(from, 100)).hasSize(7);
        }
        assertThat(positions(200, 100)).isEmpty();
    }

    @Test
    void a_record_larger_than_all_room_is_not_kept() {
        slabs.published(AT, 1, List.of(record(0, 1, 1, 50_000)));

        assertThat(positions(0, 10)).isEmpty();
        publish(1, 3);
        assertThat(positions(1, 10)).containsExactly(1L, 2L);
    }

    @Test
    void all_partitions_share_the_room() {
        publish(0, 15);
        slabs.published(ELSEWHERE, 15, dense(0, 15));

        assertThat(positions(0, 15)).isEmpty();
        assertThat(slabs.read(ELSEWHERE, 0, 15, this::none)).hasSize(15);
    }

    @Test
    void no_cursor_passes_over_a_hole() {
        publish(0, 5);
        slabs.published(AT, 8, List.of());
        publish(8, 10);

        assertThat(positions(3, 10)).containsExactly(3L, 4L);
        assertThat(positions(5, 10)).isEmpty();
        assertThat(positions(8, 10)).containsExactly(8L, 9L);
    }

    @Test
    void many_cursors_at_one_place_read_the_log_once() {
        slabs.add(new Reader(AT, 0));
        slabs.add(new Reader(AT, 0));
        for (int child = 0; child < 100; child++) {
            assertThat(slabs.read(AT, 0, 10, () -> log(0, 10))).hasSize(10);
        }
        assertThat(reads).isOne();
    }

    @Test
    void what_only_one_cursor_reads_is_not_kept() {
        slabs.add(new Reader(AT, 0));
        slabs.add(new Reader(ELSEWHERE, 0));
        slabs.read(AT, 0, 10, () -> log(0, 10));

        assertThat(slabs.read(AT, 0, 10, () -> log(0, 10))).hasSize(10);
        assertThat(reads).isEqualTo(2);
    }

    @Test
    void cursors_that_ask_at_the_same_time_wait_for_one_answer() throws Exception {
        slabs.add(new Reader(AT, 0));
        slabs.add(new Reader(AT, 0));
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        AtomicInteger others = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(5);
        try {
            Future<List<LogRecord>> first = threads.submit(() -> slabs.read(AT, 0, 10, () -> {
                asked.countDown();
                await(answer);
                return log(0, 10);
            }));
            asked.await();
            List<Future<List<LogRecord>>> rest = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                rest.add(threads.submit(() -> slabs.read(AT, 0, 3, () -> {
                    others.incrementAndGet();
                    return log(0, 3);
                })));
            }
            answer.countDown();
            assertThat(first.get()).hasSize(10);
            for (Future<List<LogRecord>> one : rest) {
                assertThat(one.get()).hasSize(3);
            }
            assertThat(others).hasValue(0);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void a_read_that_fails_is_tried_again_by_whoever_asks_next() {
        assertThatThrownBy(() -> slabs.read(AT, 0, 10, () -> {
                    throw new IllegalStateException("down");
                }))
                .hasMessage("down");
        assertThat(slabs.read(AT, 0, 10, () -> log(0, 2))).hasSize(2);
    }

    @Test
    void the_end_is_asked_for_once_and_again_after_growth() {
        assertThat(slabs.read(AT, 7, 10, this::none)).isEmpty();
        assertThat(slabs.read(AT, 7, 10, this::none)).isEmpty();
        assertThat(reads).isOne();

        slabs.grown(AT, 7);
        assertThat(slabs.read(AT, 7, 10, this::none)).isEmpty();
        assertThat(reads).isOne();

        slabs.grown(AT, 9);
        assertThat(slabs.read(AT, 7, 10, () -> log(7, 9))).hasSize(2);
        assertThat(reads).isEqualTo(2);
    }

    @Test
    void growth_during_a_read_that_found_the_end_is_not_forgotten() {
        assertThat(slabs.read(AT, 7, 10, () -> {
                    List<LogRecord> before = none();
                    slabs.grown(AT, 8);
                    return before;
                }))
                .isEmpty();

        assertThat(slabs.read(AT, 7, 10, () -> log(7, 8))).hasSize(1);
    }

    @Test
    void only_readers_that_are_concerned_are_told() {
        Reader here = new Reader(AT, 0);
        Reader there = new Reader(ELSEWHERE, 5);
        slabs.add(here);
        slabs.add(there);

        publish(0, 1);
        slabs.grown(AT, 3);
        slabs.grown(ELSEWHERE, 5);
        slabs.allGrown();
        slabs.remove(here);
        slabs.allGrown();

        assertThat(here.told).isEqualTo(3);
        assertThat(there.told).isEqualTo(2);
    }

    @Test
    void events_are_wanted_while_a_reader_is_near_the_tail() {
        assertThat(slabs.isWanted(Map.of(AT, 5L))).isFalse();
        slabs.add(new Reader(AT, 90));
        assertThat(slabs.isWanted(Map.of())).isTrue();
        assertThat(slabs.isWanted(Map.of(AT, 95L))).isTrue();
        assertThat(slabs.isWanted(Map.of(AT, 900L))).isFalse();
    }

    @Test
    void what_is_cleared_is_neither_read_nor_the_tail() {
        publish(0, 5);
        slabs.clear();

        assertThat(positions(0, 5)).isEmpty();
        assertThat(slabs.read(AT, 5, 10, () -> log(5, 6))).hasSize(1);
    }

    private void publish(long from, long to) {
        slabs.published(AT, to, dense(from, to));
    }

    private List<LogRecord> log(long from, long to) {
        reads++;
        return dense(from, to);
    }

    private List<LogRecord> none() {
        reads++;
        return List.of();
    }

    private static List<LogRecord> dense(long from, long to) {
        return LongStream.range(from, to)
                .mapToObj(at -> record(at, 1, at + 1, 0))
                .toList();
    }

    private List<Long> positions(long from, int limit) {
        return slabs.read(AT, from, limit, List::of).stream()
                .map(LogRecord::position)
                .toList();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static final class Reader implements Slabs.Reader {

        private final StreamPartition partition;
        private final long position;
        private int told;

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
        public void grown() {
            told++;
        }
    }
}
