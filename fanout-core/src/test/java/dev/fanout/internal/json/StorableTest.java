// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.CodecException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StorableTest {

    private static final int LIMIT = 1 << 20;

    @Test
    void a_document_is_laid_out_as_jsonb_prints_it() {
        Map<String, String> cases = Map.of(
                " {\n\"a\" : [ 1 ,2\t], \"b\":null }\r\n", "{\"a\": [1, 2], \"b\": null}",
                "[]", "[]",
                "{\"a,b:c\":\" , : 1e5 \\\" 1e5\"}", "{\"a,b:c\": \" , : 1e5 \\\" 1e5\"}",
                "[true,false,-1.50,\"\\\\\"]", "[true, false, -1.50, \"\\\\\"]",
                "7", "7");
        cases.forEach(
                (json, printed) -> assertThat(Storable.asPrinted(json, LIMIT)).isEqualTo(printed));
    }

    @Test
    void a_number_with_an_exponent_is_written_out() {
        Map<String, String> cases = Map.of(
                "1e5", "100000",
                "-1.5E+1", "-15",
                "1.50e1", "15.0",
                "12.34e-1", "1.234",
                "0.001e5", "100",
                "100e-2", "1.00",
                "1.0e-5", "0.000010",
                "0e3", "0",
                "0.0e-2", "0.000",
                "0.001e2", "0.1");
        cases.forEach(
                (json, printed) -> assertThat(Storable.asPrinted(json, LIMIT)).isEqualTo(printed));
    }

    @Test
    void a_number_written_out_is_the_same_number_with_the_same_digits() {
        Random random = new Random(20260101);
        for (int i = 0; i < 20_000; i++) {
            String number = Numbers.random(random);
            String printed = Storable.asPrinted(number, LIMIT);

            assertThat(printed).as(number).doesNotContain("e").doesNotContain("E");
            BigDecimal value = new BigDecimal(number);
            assertThat(printed.startsWith("-") ? printed.substring(1) : printed)
                    .as(number)
                    .isEqualTo(value.abs().toPlainString());
        }
    }

    @Test
    void a_number_that_numeric_does_not_hold_is_refused_whatever_the_codec_said() {
        for (String json : List.of("1e131073", "[1e-16384]", "1e99999999999")) {
            assertThatThrownBy(() -> Storable.asPrinted(json, LIMIT))
                    .isInstanceOf(CodecException.class)
                    .hasMessageContaining("numeric");
        }
    }

    @Test
    void writing_out_ends_soon_behind_the_limit() {
        String printed = Storable.asPrinted("[" + "1e131071,".repeat(100_000) + "1]", 1_000);

        assertThat(printed.length()).isGreaterThan(1_000).isLessThan(150_000);
    }

    @Test
    void two_values_that_only_white_space_parts_stay_two() {
        assertThat(Storable.asPrinted("1 2", LIMIT)).isEqualTo("1 2");
        assertThat(Storable.asPrinted("[1\n 2]", LIMIT)).isEqualTo("[1 2]");
        assertThat(Storable.asPrinted("nu ll", LIMIT)).isEqualTo("nu ll");
    }
}
