// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class AppendTest {

    private static final Append APPEND = Append.to("asset", "1");

    @Test
    void every_method_returns_a_new_value_and_leaves_the_old_one_as_it_was() {
        Append first = APPEND.event("made", null).header("trace", "t").publish("a");

        first.event("renamed", null)
                .header("trace", "u")
                .publish("b")
                .expecting(1)
                .key("k")
                .historyOnly();

        assertThat(first.events()).hasSize(1);
        assertThat(first.headers()).containsExactly(Map.entry("trace", "t"));
        assertThat(first.streams()).containsExactly("a");
        assertThat(first.expecting()).isEmpty();
        assertThat(first.key()).isEmpty();
        assertThat(first.isHistoryOnly()).isFalse();
    }

    @Test
    void a_tombstone_has_a_type_and_no_facts_unless_they_are_given() {
        Append.NewEvent gone = APPEND.deleted().events().get(0);

        assertThat(gone).isEqualTo(new Append.NewEvent("asset.deleted", new Append.Content(null, null), true));
        assertThat(APPEND.deleted("scrapped", "rust").events().get(0).type()).isEqualTo("scrapped");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", "-a", "a b", "a/b", "ä", "a\0", "a'b"})
    void an_invalid_name_is_refused_with_the_rule(String name) {
        for (Runnable use : new Runnable[] {
            () -> Append.to(name, "1"),
            () -> new EntityRef(name, "asset", "1"),
            () -> APPEND.event(name, null),
            () -> APPEND.deleted(name, null),
            () -> APPEND.header(name, "x"),
            () -> APPEND.publish(name),
            () -> APPEND.publish("a", name),
            () -> StreamSpec.named(name),
            () -> StreamSpec.named("a").entities(new String[] {name == null ? "" : name}),
            () -> ChildSpec.named(name),
            () -> ChildSpec.named("a").of(name)
        }) {
            assertThatIllegalArgumentException().isThrownBy(use::run).withMessageContaining("use 1 to 127 letters");
        }
    }

    @Test
    void a_name_of_127_characters_is_the_longest() {
        assertThat(Append.to("a".repeat(127), "1").entity().type()).hasSize(127);
        assertThatIllegalArgumentException().isThrownBy(() -> Append.to("a".repeat(128), "1"));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "a\0b", "\uD83D", "\uDE00\uD83D", "x\uD83D"})
    void text_that_can_not_be_stored_is_refused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Append.to("asset", text));
        assertThatIllegalArgumentException().isThrownBy(() -> APPEND.key(text));
        assertThatIllegalArgumentException().isThrownBy(() -> APPEND.header("trace", text));
    }

    @Test
    void text_over_its_length_is_refused_with_the_limit_and_not_repeated_whole() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Append.to("asset", "x".repeat(513)))
                .withMessageContaining("1 to 512")
                .satisfies(refusal -> assertThat(refusal.getMessage()).hasSizeLessThan(200));
        assertThatIllegalArgumentException().isThrownBy(() -> APPEND.key("x".repeat(201)));
        assertThatIllegalArgumentException().isThrownBy(() -> APPEND.header("trace", "x".repeat(8_193)));
        assertThat(Append.to("asset", "😀".repeat(256)).entity().id()).hasSize(512);
    }

    @Test
    void a_negative_expectation_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> APPEND.expecting(-1))
                .withMessageContaining("-1");
        assertThat(APPEND.expecting(0).expecting()).hasValue(0);
    }

    @Test
    void null_is_refused_at_the_call() {
        assertThatNullPointerException().isThrownBy(() -> Append.to(null)).withMessage("entity");
        assertThatNullPointerException()
                .isThrownBy(() -> APPEND.stateJson(null))
                .withMessage("json");
        assertThatNullPointerException()
                .isThrownBy(() -> APPEND.eventJson("made", null))
                .withMessage("json");
        assertThatNullPointerException().isThrownBy(() -> Fanout.builder(null)).withMessage("store");
        assertThatNullPointerException().isThrownBy(() -> ChildSpec.named("a").projection(null));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1_025})
    void a_number_of_partitions_out_of_range_is_refused_with_the_range(int partitions) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StreamSpec.named("assets").partitions(partitions))
                .withMessageContaining(partitions + " partitions; use 1 to 1024");
    }

    @Test
    void a_child_drives_one_projection() {
        ChildSpec<Object> child = ChildSpec.named("search").projection(event -> Outcome.applied());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> child.selfGated(event -> Outcome.applied()))
                .withMessageContaining("search");
    }

    @Test
    void entities_are_ordered_by_tenant_type_and_id() {
        assertThat(new EntityRef("a", "z", "9")).isLessThan(new EntityRef("b", "a", "1"));
        assertThat(EntityRef.of("a", "2")).isLessThan(EntityRef.of("b", "1"));
        assertThat(EntityRef.of("a", "1"))
                .isLessThan(EntityRef.of("a", "2"))
                .isEqualByComparingTo(EntityRef.of("a", "1"));
    }

    @Test
    void a_tombstone_of_a_type_too_long_for_its_name_is_refused_with_the_way_out() {
        Append append = Append.to("a".repeat(120), "1");

        assertThatThrownBy(append::deleted)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("entity type 'aaa", "deleted(type, payload)");
        assertThat(append.deleted("gone", null).events()).hasSize(1);
        assertThat(Append.to("a".repeat(119), "1").deleted().events()).hasSize(1);
    }
}
