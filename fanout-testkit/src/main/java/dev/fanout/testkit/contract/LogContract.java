// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Event;
import dev.fanout.spi.Appends.NewEvent;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.StreamPartition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** {@code Log.read}. */
abstract class LogContract<T> extends Scene<T> {

    private static final String PAYLOAD = "{\"n\": 1}";

    @Test
    void a_record_carries_everything_that_was_appended() throws Exception {
        String payload = "{\"name\": \"Größe 12 µm 🙂\"}";
        Map<String, String> headers = Map.of("traceparent", "00-ab", "cause", "\"quoted\"");
        UUID id = UUID.randomUUID();
        appended(Given.to("a").event());
        NewEvent given = new NewEvent(id, "asset.renamed", payload, headers, false, List.of(route(assets(1))));
        appended(Given.to("a").event(given));
        placed(new Look(takeLane()));
        LogRecord record = read(assets(1)).get(0);
        Event event = record.event();
        assertThat(event.id()).isEqualTo(id);
        assertThat(event.entity()).isEqualTo(Given.asset("a"));
        assertThat(event.version()).isEqualTo(2);
        assertThat(event.type()).isEqualTo("asset.renamed");
        assertThat(event.payload().json()).isEqualTo(payload);
        assertThat(event.payload().as(String.class)).isEqualTo(payload);
        assertThat(event.headers()).isEqualTo(headers);
        assertThat(event.deleted()).isFalse();
        assertThat(event.occurredAt()).isBeforeOrEqualTo(record.committedAt());
        assertThat(record.size())
                .isEqualTo(given.size())
                .isGreaterThan(payload.getBytes(StandardCharsets.UTF_8).length);
    }

    @Test
    void every_way_to_append_measures_payload_and_headers_alike() throws Exception {
        Map<String, String> headers = Map.of("a", "\u0001\"\\", "b", "é");
        NewEvent one = new NewEvent(UUID.randomUUID(), "made", PAYLOAD, headers, false, List.of(route(assets(0))));
        NewEvent two = new NewEvent(UUID.randomUUID(), "made", PAYLOAD, headers, false, List.of(route(assets(0))));
        NewEvent three = new NewEvent(UUID.randomUUID(), "made", PAYLOAD, headers, false, List.of(route(assets(0))));
        appended(Given.to("a").event(one));
        appended(Given.to("b").event(two).event(three));
        placed(new Look(takeLane()));
        assertThat(read(assets(0)))
                .hasSize(3)
                .allSatisfy(record -> assertThat(record.size()).isEqualTo(one.size()));
    }

    @Test
    void a_tombstone_says_so() throws Exception {
        appended(Given.to("a").tombstone(route(assets(0))));
        placed(new Look(takeLane()));
        assertThat(read(assets(0)).get(0).event().deleted()).isTrue();
    }

    @Test
    void records_of_one_entity_carry_one_number_and_those_of_others_another() throws Exception {
        publish("a", "b", "a");
        List<LogRecord> records = read(assets(0));
        assertThat(records.get(0).entityNo()).isEqualTo(records.get(2).entityNo());
        assertThat(records.get(0).entityNo()).isNotEqualTo(records.get(1).entityNo());
    }

    @Test
    void an_event_of_two_streams_is_in_both() throws Exception {
        appended(Given.to("a").event(route(assets(0)), route(audit())));
        placed(new Look(takeLane()));
        assertThat(read(assets(0)).get(0).event())
                .isEqualTo(read(audit()).get(0).event());
    }

    @Test
    void reading_begins_at_the_position_wanted() throws Exception {
        publish("a", "a", "a");
        assertThat(slab(assets(0), 1, 10, 1_000))
                .extracting(LogRecord::position)
                .containsExactly(1L, 2L);
    }

    @Test
    void reading_ends_at_the_limit() throws Exception {
        publish("a", "a", "a");
        assertThat(slab(assets(0), 0, 2, 1_000)).extracting(LogRecord::position).containsExactly(0L, 1L);
    }

    @Test
    void reading_ends_before_the_bytes_are_exceeded() throws Exception {
        publish("a", "a", "a");
        long two = 2L * PAYLOAD.length();
        assertThat(slab(assets(0), 0, 10, two)).hasSize(2);
        assertThat(slab(assets(0), 0, 10, two + PAYLOAD.length() - 1)).hasSize(2);
    }

    @Test
    void the_first_record_comes_however_large_it_is() throws Exception {
        publish("a", "a");
        assertThat(slab(assets(0), 0, 10, 1)).extracting(LogRecord::position).containsExactly(0L);
        assertThat(slab(assets(0), 1, 10, 1)).extracting(LogRecord::position).containsExactly(1L);
    }

    @Test
    void there_is_nothing_at_the_end() throws Exception {
        publish("a");
        assertThat(slab(assets(0), 1, 10, 1_000)).isEmpty();
        assertThat(slab(assets(0), 100, 10, 1_000)).isEmpty();
        assertThat(slab(assets(1), 0, 10, 1_000)).isEmpty();
        assertThat(slab(new StreamPartition(999, 0), 0, 10, 1_000)).isEmpty();
    }

    private List<LogRecord> slab(StreamPartition partition, long from, int limit, long bytes) {
        return store.log().read(partition, from, limit, bytes, Duration.ZERO).records();
    }

    private void publish(String... ids) throws Exception {
        for (String id : ids) {
            appended(Given.to(id).event(PAYLOAD, route(assets(0))));
        }
        placed(new Look(takeLane()));
    }

    @Test
    void an_event_of_history_is_read_by_entity_and_version_published_or_not() throws Exception {
        appended(Given.to("a").event("{\"n\": 1}", route(assets(0))).event("{\"n\": 2}", route(assets(0))));
        assertThat(store.log().event(Given.asset("a"), 2)).hasValueSatisfying(event -> {
            assertThat(event.entity()).isEqualTo(Given.asset("a"));
            assertThat(event.version()).isEqualTo(2);
            assertThat(event.payload().json()).isEqualTo("{\"n\": 2}");
        });
        assertThat(store.log().event(Given.asset("a"), 3)).isEmpty();
        assertThat(store.log().event(Given.asset("b"), 1)).isEmpty();
    }

    @Test
    void an_event_that_is_not_committed_is_not_read() throws Exception {
        T tx = harness.begin();
        append(tx, Given.to("a").event(route(assets(0))));
        assertThat(store.log().event(Given.asset("a"), 1)).isEmpty();
        harness.commit(tx);
        assertThat(store.log().event(Given.asset("a"), 1)).isPresent();
    }
}
