// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.fanout.Codec;
import dev.fanout.CodecException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Both adapters refuse what PostgreSQL would, before the host's transaction could be spoilt by it. */
class CodecTest {

    record Renamed(String name, int times) {}

    static final List<Codec> codecs = List.of(new Jackson2Codec(), new Jackson3Codec());

    static Stream<Arguments> refused() {
        return each(List.of(
                Map.entry("", "no complete JSON document"),
                Map.entry("   ", "no complete JSON document"),
                Map.entry("{", "not JSON"),
                Map.entry("[1", "not JSON"),
                Map.entry("{\"a\":1}}", "not JSON"),
                Map.entry("pump", "not JSON"),
                Map.entry("{'a':1}", "not JSON"),
                Map.entry("{a:1}", "not JSON"),
                Map.entry("/* why */ 1", "not JSON"),
                Map.entry("NaN", "not JSON"),
                Map.entry("[1,]", "not JSON"),
                Map.entry("01", "not JSON"),
                Map.entry("\"a\nb\"", "not JSON"),
                Map.entry("\uFEFF{}", "not JSON"),
                Map.entry("1 2", "more than one JSON document"),
                Map.entry("{} {}", "more than one JSON document"),
                Map.entry("[] null", "more than one JSON document"),
                Map.entry("\"a\\u0000b\"", "NUL"),
                Map.entry("{\"a\\u0000b\":1}", "NUL"),
                Map.entry("{\"a\":[{\"b\":\"\\u0000\"}]}", "NUL"),
                Map.entry("\"\\ud83d\"", "surrogate"),
                Map.entry("\"\\ude00\\ud83d\"", "surrogate"),
                Map.entry("\"\uD83Dx\"", "surrogate"),
                Map.entry("{\"\\ud83d\":1}", "surrogate"),
                Map.entry("1e131073", "numeric"),
                Map.entry("{\"n\":1e1001}", "1002 digits"),
                Map.entry("1e131071", "131072 digits"),
                Map.entry("-1e-1000", "1001 digits"),
                Map.entry("9".repeat(1_001), "not JSON"),
                Map.entry("{\"" + "n".repeat(50_001) + "\":1}", "not JSON"),
                Map.entry("1e-16384", "numeric"),
                Map.entry("0.01e-16382", "numeric"),
                Map.entry("[1e99999999999]", "numeric"),
                Map.entry("{\"a\":-1E-99999999999}", "numeric"),
                Map.entry("[".repeat(5_000) + "]".repeat(5_000), "not JSON")));
    }

    static Stream<Arguments> accepted() {
        return each(Stream.of(
                        "null",
                        "true",
                        " \t\r\n1 ",
                        "\"\"",
                        "-0.0e+0",
                        "1e999",
                        "-1e-999",
                        "9".repeat(1_000),
                        "-0." + "9".repeat(999),
                        "\"\\ud83d\\ude00\"",
                        "\"\uD83D\uDE00\"",
                        "\"\\\\u0000\"",
                        "{\"a\":{\"b\":[1,2,{}]},\"a\":2}",
                        "[".repeat(300) + "]".repeat(300))
                .map(json -> Map.entry(json, ""))
                .toList());
    }

    private static Stream<Arguments> each(List<Map.Entry<String, String>> cases) {
        return codecs.stream()
                .flatMap(codec -> cases.stream().map(one -> Arguments.of(codec, one.getKey(), one.getValue())));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void text_that_postgresql_would_not_store_is_refused_with_the_reason(Codec codec, String json, String reason) {
        assertThatThrownBy(() -> codec.check(json))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void any_other_document_is_accepted(Codec codec, String json, String unused) {
        assertThatCode(() -> codec.check(json)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @FieldSource("codecs")
    void what_was_encoded_is_decoded_to_the_same(Codec codec) {
        Renamed renamed = new Renamed("pump-7 \uD83D\uDE00", 3);

        assertThat(codec.decode(codec.encode(renamed), Renamed.class)).isEqualTo(renamed);
        assertThat(codec.encode(null)).isEqualTo("null");
        assertThat(codec.decode("null", Renamed.class)).isNull();
    }

    @ParameterizedTest
    @FieldSource("codecs")
    void an_object_that_holds_what_can_not_be_stored_is_refused(Codec codec) {
        assertThatThrownBy(() -> codec.encode(new Renamed("a\0b", 1)))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("NUL");
        assertThatThrownBy(() -> codec.encode(Map.of("half \uD83D", 1))).isInstanceOf(CodecException.class);
    }

    @ParameterizedTest
    @FieldSource("codecs")
    void an_object_that_can_not_be_written_is_refused(Codec codec) {
        Object[] endless = new Object[1];
        endless[0] = endless;

        assertThatThrownBy(() -> codec.encode(endless))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("can't be written as JSON");
    }

    @ParameterizedTest
    @FieldSource("codecs")
    void a_document_that_does_not_fit_names_the_class(Codec codec) {
        assertThatThrownBy(() -> codec.decode("[1,2]", Renamed.class))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining(Renamed.class.getName());
    }

    @Test
    void a_lenient_mapper_of_the_application_makes_nothing_json_that_is_not() {
        Codec lenient2 = new Jackson2Codec(com.fasterxml.jackson.databind.json.JsonMapper.builder()
                .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_SINGLE_QUOTES)
                .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
                .build());
        Codec lenient3 = new Jackson3Codec(tools.jackson.databind.json.JsonMapper.builder()
                .enable(tools.jackson.core.json.JsonReadFeature.ALLOW_JAVA_COMMENTS)
                .enable(tools.jackson.core.json.JsonReadFeature.ALLOW_SINGLE_QUOTES)
                .enable(tools.jackson.core.json.JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                .disable(tools.jackson.core.json.JsonWriteFeature.WRITE_NAN_AS_STRINGS)
                .build());
        for (Codec lenient : List.of(lenient2, lenient3)) {
            assertThatThrownBy(() -> lenient.check("/* why */ {'a':1}")).isInstanceOf(CodecException.class);
            assertThatThrownBy(() -> lenient.check("[NaN]")).isInstanceOf(CodecException.class);
            assertThatThrownBy(() -> lenient.encode(List.of(Double.NaN))).isInstanceOf(CodecException.class);
        }
    }

    @Test
    void a_mapper_that_reads_less_is_given_less_to_read() {
        Codec narrow2 = new Jackson2Codec(
                com.fasterxml.jackson.databind.json.JsonMapper.builder(com.fasterxml.jackson.core.JsonFactory.builder()
                                .streamReadConstraints(com.fasterxml.jackson.core.StreamReadConstraints.builder()
                                        .maxNestingDepth(3)
                                        .maxNumberLength(5)
                                        .maxStringLength(7)
                                        .maxNameLength(4)
                                        .build())
                                .build())
                        .build());
        Codec narrow3 = new Jackson3Codec(
                tools.jackson.databind.json.JsonMapper.builder(tools.jackson.core.json.JsonFactory.builder()
                                .streamReadConstraints(tools.jackson.core.StreamReadConstraints.builder()
                                        .maxNestingDepth(3)
                                        .maxNumberLength(5)
                                        .maxStringLength(7)
                                        .maxNameLength(4)
                                        .build())
                                .build())
                        .build());
        for (Codec narrow : List.of(narrow2, narrow3)) {
            for (String json : List.of("[[[[]]]]", "123456", "1e5", "\"12345678\"", "{\"names\":1}")) {
                assertThatThrownBy(() -> narrow.check(json)).as(json).isInstanceOf(CodecException.class);
            }
            assertThatThrownBy(() -> narrow.encode(new java.math.BigDecimal("1e5")))
                    .isInstanceOf(CodecException.class)
                    .hasMessageContaining("maxNumberLength");
            for (String json : List.of("[[[]]]", "12345", "1e4", "\"1234567\"", "{\"name\":1}")) {
                narrow.check(json);
                narrow.decode(Storable.asPrinted(json, 100), Object.class);
            }
        }
    }

    @ParameterizedTest
    @FieldSource("codecs")
    void what_is_accepted_is_decoded_when_its_numbers_are_written_out(Codec codec) {
        accepted().forEach(accepted -> {
            String json = (String) accepted.get()[1];
            assertThatCode(() -> codec.decode(Storable.asPrinted(json, 1 << 20), Object.class))
                    .as(json)
                    .doesNotThrowAnyException();
        });
    }

    @Test
    void jackson_3_is_chosen_where_both_are() {
        assertThat(Codecs.detect()).isInstanceOf(Jackson3Codec.class);
    }
}
