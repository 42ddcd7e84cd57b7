// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fanout.Filter.Condition;
import dev.fanout.Filter.Operator;
import dev.fanout.internal.json.Jackson3Codec;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterTest {

    @ParameterizedTest(name = "{0} lets {1} through: {2}")
    @CsvSource({
        "asset.renamed, asset.renamed,      true",
        "asset.renamed, asset.renamed.late, false",
        "asset.renamed, asset.Renamed,      false",
        "asset.*,       asset.renamed,      true",
        "asset.*,       asset.renamed.late, true",
        "asset.*,       asset,              false",
        "asset.*,       assets.renamed,     false",
        "work.done.*,   work.done.late,     true",
        "work.done.*,   work.done,          false"
    })
    void a_type_is_exact_or_a_prefix(String pattern, String type, boolean passes) {
        assertThat(Filter.type(pattern).passes(event(type, "{}"))).isEqualTo(passes);
        assertThat(Filter.type(pattern).passesType(type)).isEqualTo(passes);
    }

    @Test
    void any_of_several_types_will_do() {
        Filter filter = Filter.type("asset.*", "order.paid");

        assertThat(filter.passes(event("asset.made", "{}"))).isTrue();
        assertThat(filter.passes(event("order.paid", "{}"))).isTrue();
        assertThat(filter.passes(event("order.made", "{}"))).isFalse();
        assertThat(filter.types()).containsExactly("order.paid");
        assertThat(filter.prefixes()).containsExactly("asset.");
    }

    @ParameterizedTest(name = "{0} {1} of {2}: {3}")
    @CsvSource(delimiter = '|', textBlock = """
            payload.a   | "x"   | {"a": "x"}                | true
            payload.a   | "x"   | {"a": "X"}                | false
            payload.a   | "é"   | {"a": "\\u00e9"}          | true
            payload.a   | "a/b" | {"a": "a\\/b"}            | true
            payload.a   | "\\"" | {"a": "\\""}              | true
            payload.a   | "1"   | {"a": 1}                  | false
            payload.a   | 1     | {"a": "1"}                | false
            payload.a   | 1     | {"a": 1}                  | true
            payload.a   | 1     | {"a": 1.0}                | true
            payload.a   | 1     | {"a": 10e-1}              | true
            payload.a   | 100   | {"a": 1E+2}               | true
            payload.a   | 0.1   | {"a": 0.10}               | true
            payload.a   | 0     | {"a": -0.0}               | true
            payload.a   | -1    | {"a": 1}                  | false
            payload.a   | 12345678901234567890123 | {"a": 12345678901234567890123} | true
            payload.a   | 12345678901234567890123 | {"a": 12345678901234567890124} | false
            payload.a   | 1e400 | {"a": 10e399}             | true
            payload.a   | true  | {"a": true}               | true
            payload.a   | true  | {"a": "true"}             | false
            payload.a   | false | {"a": true}               | false
            payload.a   | null  | {"a": null}               | true
            payload.a   | null  | {}                        | false
            payload.a   | null  | {"a": false}              | false
            payload.a   | "x"   | {}                        | false
            payload.a   | "x"   | {"b": "x"}                | false
            payload.a   | "x"   | {"b": {"a": "x"}}         | false
            payload.a   | "x"   | {"a": ["x"]}              | false
            payload.a   | "x"   | {"a": {"a": "x"}}         | false
            payload.a.b | "x"   | {"a": {"b": "x"}}         | true
            payload.a.b | "x"   | {"c": [{"b": "x"}], "a": {"c": {}, "b": "x"}} | true
            payload.a.b | "x"   | {"a": [{"b": "x"}]}       | false
            payload.a.b | "x"   | {"a": "x"}                | false
            payload.a.b | "x"   | {"a": null}               | false
            payload.a   | "x"   | {"a": "y", "a": "x"}      | true
            payload.a   | "x"   | {"a": "x", "a": "y"}      | false
            payload.a.b | "x"   | {"a": {"b": "x"}, "a": 1} | false
            payload.0   | "x"   | ["x"]                     | false
            payload.0   | "x"   | {"0": "x"}                | true
            payload.a   | "x"   | "x"                       | false
            payload.a   | "x"   | null                      | false
            payload.ü   | "x"   | {"ü": "x"}                | true
            """)
    void a_value_equals_by_kind_and_value(String path, String wanted, String payload, boolean passes) {
        Filter filter = new FilterOfText(path, wanted).filter();

        assertThat(filter.passes(event("made", payload))).isEqualTo(passes);
    }

    /** Where the wanted value is JSON text, as in what is stored. */
    private record FilterOfText(String path, String value) {

        Filter filter() {
            return Filter.parse("{\"where\": [{\"path\": \"" + path + "\", \"equals\": " + value + "}]}");
        }
    }

    @ParameterizedTest(name = "payload.a.b exists in {0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            {"a": {"b": 1}}      | true
            {"a": {"b": null}}   | true
            {"a": {"b": []}}     | true
            {"a": {"b": {}}}     | true
            {"a": {"b": ""}}     | true
            {"a": {"c": 1}}      | false
            {"a": {}}            | false
            {"a": [{"b": 1}]}    | false
            {"a": null}          | false
            {}                   | false
            null                 | false
            """)
    void a_member_exists_whatever_its_value(String payload, boolean passes) {
        assertThat(Filter.anyType().where("payload.a.b").exists().passes(event("made", payload)))
                .isEqualTo(passes);
    }

    @Test
    void one_of_several_values_will_do() {
        Filter filter = Filter.type("asset.*").where("payload.kind").in("class", "record", 7, null);

        assertThat(filter.passes(event("asset.made", "{\"kind\": \"record\"}"))).isTrue();
        assertThat(filter.passes(event("asset.made", "{\"kind\": 7.00}"))).isTrue();
        assertThat(filter.passes(event("asset.made", "{\"kind\": null}"))).isTrue();
        assertThat(filter.passes(event("asset.made", "{\"kind\": \"enum\"}"))).isFalse();
        assertThat(filter.passes(event("asset.made", "{}"))).isFalse();
        assertThat(filter.passes(event("order.made", "{\"kind\": \"record\"}"))).isFalse();
    }

    @Test
    void all_conditions_must_hold() {
        Filter filter = Filter.type("asset.*")
                .where("payload.kind")
                .equalTo("class")
                .where("payload.owner.name")
                .exists()
                .where("payload.owner")
                .exists();

        assertThat(filter.passes(event("asset.made", "{\"kind\": \"class\", \"owner\": {\"name\": \"x\"}}")))
                .isTrue();
        assertThat(filter.passes(event("asset.made", "{\"kind\": \"class\", \"owner\": {}}")))
                .isFalse();
        assertThat(filter.passes(event("asset.made", "{\"owner\": {\"name\": \"x\"}}")))
                .isFalse();
    }

    @Test
    void the_payload_is_not_read_where_the_type_decides() {
        Filter byType = Filter.type("asset.*");
        Filter byPayload = byType.where("payload.kind").equalTo("class");

        assertThat(byType.passes(event("asset.made", "no JSON"))).isTrue();
        assertThat(byPayload.passes(event("order.made", "no JSON"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"a\"",
                "{\"a\":",
                "{\"a\": 1",
                "{\"a\" 1}",
                "{\"a\": \"x",
                "{\"b\": [1, {\"a\": 2}",
                "{\"a\": }",
                "{\"a\": x}",
                "{\"a\": \"\\u00g0\"}",
                "{\"a\": \"\\x\"}",
                "{a: 1}",
                "}",
                "{\"b\": ,}",
                "{\"a\": 1e99999999999999999999}"
            })
    void a_payload_that_is_no_json_is_an_error_and_no_answer(String payload) {
        Filter filter = Filter.anyType().where("payload.a").equalTo(1);

        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> filter.passes(event("made", payload)));
    }

    @Test
    void a_tombstone_without_payload_passes_no_condition() {
        Filter filter = Filter.type("asset.*").where("payload.kind").equalTo("class");

        assertThat(filter.passes(event("asset.deleted", "null"))).isFalse();
        assertThat(filter.passes(event("asset.deleted", "{\"kind\": \"class\"}")))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "*", ".*", "asset.**", "*.renamed", "as*", "asset*", "asset renamed", "-x", "asset..*x"})
    void a_malformed_type_is_refused_and_shown(String pattern) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filter.type(pattern))
                .withMessageContainingAll("'" + pattern + "'", "anyType()");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "payload",
                "payload.",
                "payload..a",
                "payload.a.",
                "kind",
                "payloads.kind",
                "payload.a b",
                "payload.a[0]",
                "payload.*",
                "payload.\"a\"",
                " payload.a",
                "payload.a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q"
            })
    void a_malformed_path_is_refused_and_shown(String path) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filter.anyType().where(path))
                .withMessageContainingAll("'" + path + "'", "payload.<member>");
    }

    @Test
    void a_value_that_json_does_not_have_is_refused() {
        Filter.Where where = Filter.anyType().where("payload.a");

        assertThatIllegalArgumentException().isThrownBy(() -> where.equalTo(Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> where.equalTo(List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> where.equalTo(Operator.IN))
                .withMessageContaining("Operator");
        assertThatIllegalArgumentException().isThrownBy(() -> where.equalTo("\0"));
        assertThatIllegalArgumentException().isThrownBy(() -> where.in()).withMessageContaining("in takes 1 to 1024");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> where.in(IntStream.range(0, 1025).boxed().toArray()));
    }

    @Test
    void what_would_be_too_much_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filter.type(
                        "a", IntStream.range(0, 256).mapToObj(i -> "t" + i).toArray(String[]::new)))
                .withMessageContainingAll("257", "256");
        Filter full = Filter.anyType();
        for (int i = 0; i < 64; i++) {
            full = full.where("payload.a" + i).exists();
        }
        Filter.Where more = full.where("payload.more");
        assertThatIllegalArgumentException().isThrownBy(more::exists).withMessageContainingAll("65", "64");
    }

    @Test
    void sixty_four_conditions_hold_together() {
        Filter filter = Filter.anyType();
        StringBuilder payload = new StringBuilder("{\"x\": 0");
        for (int i = 0; i < 64; i++) {
            filter = filter.where("payload.a" + i).equalTo(i);
            payload.append(", \"a").append(i).append("\": ").append(i);
        }

        assertThat(filter.passes(event("made", payload + "}"))).isTrue();
        assertThat(filter.passes(event("made", payload + ", \"a63\": 0}"))).isFalse();
    }

    @Test
    void the_text_that_is_stored_reads_back_as_an_equal_filter() {
        Filter filter = Filter.type("work.done", "asset.*")
                .where("payload.kind")
                .in("record", "class", 2.50, true, null)
                .where("payload.owner.name")
                .equalTo("O\"Neil \\ ü\n")
                .where("payload.size")
                .exists();

        assertThat(filter.json())
                .isEqualTo("{\"type\": [\"asset.*\", \"work.done\"], \"where\": ["
                        + "{\"path\": \"payload.kind\", \"in\": [\"class\", \"record\", 2.5, null, true]}, "
                        + "{\"path\": \"payload.owner.name\", \"equals\": \"O\\\"Neil \\\\ ü\\u000a\"}, "
                        + "{\"path\": \"payload.size\", \"exists\": true}]}");
        assertThat(Filter.parse(filter.json())).isEqualTo(filter).hasSameHashCodeAs(filter);
        assertThat(filter)
                .hasToString("type in (asset.*, work.done) and payload.kind in (\"class\", \"record\", 2.5, null, true)"
                        + " and payload.owner.name = \"O\\\"Neil \\\\ ü\\u000a\" and payload.size exists");
        assertThat(Filter.anyType().json()).isEqualTo("{}");
        assertThat(Filter.parse("{}")).isEqualTo(Filter.anyType());
    }

    @Test
    void members_of_the_text_come_in_any_order_as_jsonb_gives_them() {
        Filter filter = Filter.parse("{\"where\":[{\"in\":[2,1.0],\"path\":\"payload.n\"}],\"type\":[\"asset.*\"]}");

        assertThat(filter).isEqualTo(Filter.type("asset.*").where("payload.n").in(1, new BigDecimal("2.0")));
        assertThat(filter.conditions()).containsExactly(new Condition("payload.n", Operator.IN, List.of("1", "2")));
    }

    @Test
    void equal_filters_are_equal_however_they_were_written() {
        assertThat(Filter.type("b", "a", "a").where("payload.n").in(1.0))
                .isEqualTo(Filter.type("a", "b").where("payload.n").equalTo(1));
        assertThat(Filter.type("a")).isNotEqualTo(Filter.type("a.*")).isNotEqualTo(Filter.anyType());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{} {}",
                "{\"types\": [\"a\"]}",
                "{\"type\": []}",
                "{\"type\": \"a\"}",
                "{\"type\": [1]}",
                "{\"where\": [{}]}",
                "{\"where\": [{\"path\": \"payload.a\"}]}",
                "{\"where\": [{\"equals\": 1}]}",
                "{\"where\": [{\"path\": \"a\", \"equals\": 1}]}",
                "{\"where\": [{\"path\": \"payload.a\", \"equals\": [1]}]}",
                "{\"where\": [{\"path\": \"payload.a\", \"exists\": false}]}",
                "{\"where\": [{\"path\": \"payload.a\", \"in\": []}]}",
                "{\"where\": [{\"path\": \"payload.a\", \"equals\": 01}]}",
                "{\"where\": [{\"path\": \"payload.a\", \"in\": [1], \"equals\": 1}]}",
                "{\"where\": [{\"path\": \"payload.a\", \"like\": \"x\"}]}"
            })
    void a_text_that_is_no_filter_is_refused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Filter.parse(text));
    }

    private static Event event(String type, String payload) {
        return new Event(
                new UUID(0, 1),
                EntityRef.of("asset", "1"),
                1,
                type,
                Payload.of(payload, new Jackson3Codec()),
                Map.of(),
                Instant.EPOCH,
                false);
    }
}
