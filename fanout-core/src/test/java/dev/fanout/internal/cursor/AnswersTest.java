// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import static dev.fanout.internal.cursor.Records.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Event;
import dev.fanout.Outcome;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswersTest {

    private static final List<Event> TWO =
            List.of(record(0, 1, 1).event(), record(1, 1, 2).event());

    @Test
    void an_event_without_an_outcome_is_a_failure_that_says_what_to_do() {
        Answers one = Answers.of(TWO, List.of(Outcome.applied()));
        assertThat(one.acknowledged()).isEqualTo(1);
        assertThat(one.refusal())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.cause())
                                .hasMessageContaining("returned 1 outcome(s)")
                                .hasMessageContaining("return one outcome for each event"));
        assertThat(Answers.of(TWO, Arrays.asList(null, Outcome.applied())).acknowledged())
                .isZero();
        assertThat(Answers.of(TWO, null).acknowledged()).isZero();
    }

    @Test
    void outcomes_end_with_the_first_refusal() {
        Answers answers = Answers.of(TWO, List.of(Outcome.park("odd"), Outcome.applied()));
        assertThat(answers.acknowledged()).isZero();
        assertThat(answers.outcomes()).hasSize(1);
    }

    @Test
    void an_exception_whose_text_fails_itself_is_told_by_its_class() {
        Outcome refusal = Outcome.failed(new Unspeakable());
        assertThat(Answers.why(refusal)).isEqualTo(Unspeakable.class.getName());
    }

    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no text");
        }
    }
}
