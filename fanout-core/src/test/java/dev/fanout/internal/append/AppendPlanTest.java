// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.Append;
import dev.fanout.AppendRefusedException;
import dev.fanout.Appended;
import dev.fanout.EntityRef;
import dev.fanout.StartRefusedException;
import dev.fanout.StreamSpec;
import dev.fanout.internal.TestPlatform;
import dev.fanout.internal.json.Jackson3Codec;
import dev.fanout.spi.Appends.EntityAppend;
import dev.fanout.spi.Appends.NewEvent;
import dev.fanout.spi.Appends.Result;
import dev.fanout.spi.Appends.Route;
import dev.fanout.spi.Layout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AppendPlanTest {

    private static final int LIMIT = 100;

    private final List<StreamSpec> declared = List.of(
            StreamSpec.named("assets").entities("asset").partitions(4),
            StreamSpec.named("everything").entities("asset", "order"),
            StreamSpec.named("audit"));
    private final Layout layout = new Layout(
            List.of(
                    new Layout.Stream(11, "assets", Set.of("asset"), 4, 0),
                    new Layout.Stream(12, "everything", Set.of("asset", "order"), 1, 0),
                    new Layout.Stream(13, "audit", Set.of(), 1, 2)),
            List.of());
    private final Routes routes = new Routes(declared, layout);

    @Test
    void an_append_goes_to_the_streams_that_carry_its_type() {
        Append append = Append.to("asset", "1").event("asset.made", null);

        assertThat(routes.of(append).names()).containsExactlyInAnyOrder("assets", "everything");
        assertThat(routes.of(append).routes(append.entity()))
                .containsExactly(
                        new Route(0, 11, Partitioner.partition(EntityRef.of("asset", "1"), 4)), new Route(0, 12, 0));
    }

    @Test
    void streams_that_are_named_replace_those_of_the_type() {
        Append append = Append.to("asset", "1").event("asset.made", null).publish("audit");

        assertThat(routes.of(append).routes(append.entity())).containsExactly(new Route(2, 13, 0));
    }

    @Test
    void history_only_goes_nowhere_on_purpose() {
        assertThat(routes.of(Append.to("person", "1").event("made", null).historyOnly())
                        .streams())
                .isEmpty();
        assertThat(routes.of(Append.to("asset", "1").event("made", null).historyOnly())
                        .streams())
                .isEmpty();
    }

    @Test
    void an_append_that_reaches_no_stream_is_refused_with_the_ways_out() {
        assertRefused(
                Append.to("person", "1").event("made", null),
                "entity type 'person'",
                "[assets, audit, everything]",
                "entities(..)",
                "publish(..)",
                "historyOnly()");
    }

    @Test
    void an_undeclared_stream_is_refused_with_the_known_ones_even_for_history_only() {
        assertRefused(
                Append.to("asset", "1").event("made", null).publish("assetz"),
                "'assetz'",
                "[assets, audit, everything]");
        assertRefused(
                Append.to("asset", "1").event("made", null).publish("assetz").historyOnly(), "'assetz'");
    }

    @Test
    void an_append_without_an_event_and_a_batch_without_an_append_are_refused() {
        assertRefused(Append.to("asset", "1"), "default/asset/1", "event(..)", "deleted()");
        assertThatThrownBy(() -> plan())
                .isInstanceOf(AppendRefusedException.class)
                .hasMessageContaining("empty batch");
    }

    @Test
    void a_payload_that_can_not_be_stored_is_refused_with_the_type_of_the_event() {
        assertRefused(Append.to("asset", "1").eventJson("asset.made", "{"), "payload of asset.made", "not JSON");
        assertRefused(Append.to("asset", "1").eventJson("asset.made", "\"\\u0000\""), "payload of asset.made", "NUL");
        assertRefused(Append.to("asset", "1").event("asset.made", Map.of("k", "a\0")), "payload of asset.made", "NUL");
        assertRefused(
                Append.to("asset", "1").event("asset.made", null).stateJson("1 2"),
                "state of default/asset/1",
                "more than one");
    }

    @Test
    void a_payload_over_the_limit_is_refused_with_both_numbers() {
        String fits = "\"" + "é".repeat((LIMIT - 2) / 2) + "\"";
        plan(Append.to("asset", "1").eventJson("asset.made", fits).stateJson(fits));

        String tooLarge = "\"" + "é".repeat(LIMIT / 2) + "\"";
        assertRefused(
                Append.to("asset", "1").eventJson("asset.made", tooLarge),
                "payload of asset.made",
                "has 102 bytes",
                "limit of 100",
                "Settings.payloadBytes");
        assertRefused(
                Append.to("asset", "1").event("asset.made", null).stateJson(tooLarge), "state of default/asset/1");
    }

    @Test
    void a_document_is_measured_as_it_will_be_read() {
        EntityAppend planned = plan(Append.to("asset", "1")
                        .eventJson("asset.made", " {\"n\":1e3}\n")
                        .stateJson("[1e2,2]"))
                .inLockOrder()
                .get(0);
        assertThat(planned.events().get(0).payload()).isEqualTo("{\"n\": 1000}");
        assertThat(planned.state()).hasValue("[100, 2]");

        plan(Append.to("asset", "1").eventJson("asset.made", "1e99"));
        assertRefused(
                Append.to("asset", "1").eventJson("asset.made", "1e100"),
                "payload of asset.made",
                "has 101 bytes or more",
                "limit of 100");
        assertRefused(
                Append.to("asset", "1").event("asset.made", null).stateJson("[1e50,1e50]"),
                "state of default/asset/1",
                "limit of 100");
        plan(Append.to("asset", "1").eventJson("asset.made", " ".repeat(200) + "1"));
    }

    @Test
    void headers_count_as_the_payload_does() {
        Append fits = Append.to("asset", "1").event("asset.made", null).header("h", "v".repeat(LIMIT - 13));
        NewEvent event = plan(fits).inLockOrder().get(0).events().get(0);
        assertThat(event.size()).isEqualTo(LIMIT);

        assertRefused(
                fits.header("h", "v".repeat(LIMIT - 12)),
                "payload of asset.made",
                "has 101 bytes, 97 of them headers",
                "limit of 100");
        assertRefused(fits.header("h", "\"".repeat(LIMIT / 2 - 6)), "97 of them headers");
        assertRefused(fits.header("h", "é".repeat(LIMIT / 2 - 6)), "limit of 100");
        assertRefused(fits.header("i", "v"), "limit of 100");
    }

    @Test
    void bytes_are_counted_as_utf_8() {
        for (String text : List.of("", "a", "é", "☃", "😀", "a☃😀é\n")) {
            assertThat(Utf8.length(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
        }
    }

    @Test
    void a_batch_is_put_in_lock_order_and_answered_in_the_callers_order() {
        AppendPlan plan = plan(
                Append.to("order", "2").event("e1", null),
                Append.to("asset", "9").event("e2", null).event("e3", null),
                Append.to("order", "2").event("e4", null),
                Append.to("asset", "1").event("e5", null).historyOnly());

        assertThat(plan.inLockOrder().stream().map(EntityAppend::entity).map(EntityRef::id))
                .containsExactly("1", "9", "2", "2");
        assertThat(plan.inLockOrder().stream()
                        .flatMap(one -> one.events().stream().map(NewEvent::type)))
                .containsExactly("e5", "e2", "e3", "e1", "e4");

        List<Appended> appended = plan.appended(List.of(written(1), written(7), written(3), written(4)));

        assertThat(appended).extracting(Appended::version).containsExactly(3L, 7L, 4L, 1L);
        assertThat(appended.get(1).events()).extracting(Appended.Id::version).containsExactly(6L, 7L);
        assertThat(appended.get(1).streams()).containsExactlyInAnyOrder("assets", "everything");
        assertThat(appended.get(2).streams()).containsExactly("everything");
        assertThat(appended.get(3).streams()).isEmpty();
    }

    @Test
    void a_repeat_of_a_key_is_answered_with_the_earlier_events() {
        AppendPlan plan = plan(Append.to("asset", "1").event("made", null).key("cmd-42"));
        Appended.Id earlier = new Appended.Id(new UUID(1, 2), 5);

        Appended appended = plan.appended(List.of(new Result.Repeated(List.of(earlier), Set.of())))
                .get(0);

        assertThat(plan.inLockOrder().get(0).key()).isEqualTo(Optional.of("cmd-42"));
        assertThat(appended.repeated()).isTrue();
        assertThat(appended.events()).containsExactly(earlier);
    }

    @Test
    void a_repeat_of_a_key_is_answered_with_the_streams_of_the_earlier_append() {
        AppendPlan plan =
                plan(Append.to("asset", "1").event("made", null).key("cmd-42").historyOnly());
        int assets = layout.stream("assets").orElseThrow().no();
        Appended.Id earlier = new Appended.Id(new UUID(1, 2), 5);

        Appended appended = plan.appended(List.of(new Result.Repeated(List.of(earlier), Set.of(assets, 999))))
                .get(0);

        assertThat(appended.streams()).containsExactly("assets");
    }

    @Test
    void an_append_that_names_streams_and_says_history_only_is_refused() {
        assertRefused(
                Append.to("asset", "1").event("made", null).publish("assets").historyOnly(),
                "historyOnly()",
                "publish(assets)");
    }

    @Test
    void event_ids_are_random_uuids_and_differ() {
        AppendPlan plan = plan(IntStream.range(0, 200)
                .mapToObj(i -> Append.to("asset", "" + i).event("made", null))
                .toArray(Append[]::new));

        List<UUID> ids =
                plan.inLockOrder().stream().map(one -> one.events().get(0).id()).toList();
        assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.version() == 4 && id.variant() == 2);
    }

    @Test
    void a_stream_stored_otherwise_than_declared_is_refused_with_both_values() {
        assertThatThrownBy(() -> new Routes(
                        List.of(StreamSpec.named("assets").entities("asset").partitions(8)), layout))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContainingAll("'assets'", "stored with 4", "declared with 8");
        assertThatThrownBy(() -> new Routes(
                        List.of(StreamSpec.named("assets")
                                .entities("asset", "pump")
                                .partitions(4)),
                        layout))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContainingAll("[asset]", "[asset, pump]");
        assertThatThrownBy(() -> new Routes(List.of(StreamSpec.named("new")), layout))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("'new' is not stored yet");
    }

    private void assertRefused(Append append, String... words) {
        assertThatThrownBy(() -> plan(append))
                .isInstanceOf(AppendRefusedException.class)
                .hasMessageContainingAll(words);
    }

    private AppendPlan plan(Append... batch) {
        return AppendPlan.of(List.of(batch), routes, new Jackson3Codec(), LIMIT, new TestPlatform());
    }

    private static Result written(long version) {
        return new Result.Written(version);
    }
}
