// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.Append;
import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.ChildSpec;
import dev.fanout.Fanout;
import dev.fanout.Filter;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import dev.fanout.StartRefusedException;
import dev.fanout.testkit.memory.MemoryDatabase;
import dev.fanout.testkit.memory.MemoryStore;
import dev.fanout.testkit.memory.MemoryTransaction;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Declarations that contradict each other, or what is stored. */
class RefusalTest {

    private static final Projection NONE = event -> Outcome.applied();

    private final MemoryDatabase database = MemoryDatabase.create();
    private final MemoryStore store = database.connect();

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void two_children_of_one_name() {
        assertRefused(
                b -> b.child("search", c -> c.of("assets").projection(NONE))
                        .child("search", c -> c.of("assets").projection(NONE)),
                "two children are named 'search'");
    }

    @Test
    void two_streams_of_one_name_with_both_values() {
        assertRefused(
                b -> b.stream("assets", s -> s.partitions(9)),
                "two streams are named 'assets'",
                "partitions=4",
                "partitions=9");
    }

    @Test
    void a_child_of_an_undeclared_stream_with_the_known_ones() {
        assertRefused(b -> b.child("search", c -> c.of("assetz").projection(NONE)), "'assetz'", "[assets]");
    }

    @Test
    void a_child_without_a_stream_or_a_projection() {
        assertRefused(b -> b.child("search", c -> c.projection(NONE)), "'search' hangs on no stream", "of(..)");
        assertRefused(b -> b.child("search", c -> c.of("assets")), "'search' drives nothing", "projection(..)");
    }

    @Test
    void the_109th_child_of_a_stream() {
        assertRefused(
                b -> {
                    for (int i = 0; i < 109; i++) {
                        b.child("child-" + i, c -> c.of("assets").projection(NONE));
                    }
                    return b;
                },
                "'assets' has 109 children; at most 108");
    }

    @Test
    void a_child_of_an_unregistered_filter_function_with_the_known_ones() {
        assertRefused(
                b -> b.filter("only-public", event -> true)
                        .filter("only-new", event -> true)
                        .child(
                                "search",
                                c -> c.of("assets").filter("only-publik").projection(NONE)),
                "'only-publik'",
                "[only-new, only-public]");
    }

    @Test
    void two_filter_functions_of_one_name() {
        assertRefused(
                b -> b.filter("only-public", event -> true).filter("only-public", event -> false),
                "two filter functions are named 'only-public'");
    }

    @Test
    void a_second_filter_of_one_kind() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChildSpec.named("search").filter("a").filter("b"))
                .withMessageContainingAll("search", "'a'");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> ChildSpec.named("search").filter(Filter.type("a")).filter(Filter.type("b")))
                .withMessageContainingAll("search", "type in (a)");
    }

    @Test
    void a_child_that_publishes_to_an_undeclared_stream_with_the_known_ones() {
        assertRefused(b -> b.child("retry", c -> c.of("assets").stream("retriez")), "'retriez'", "[assets]");
    }

    @Test
    void a_stream_with_two_parents() {
        assertRefused(
                b -> b.stream("orders", s -> s).stream("retries", s -> s)
                        .child("one", c -> c.of("assets").stream("retries"))
                        .child("two", c -> c.of("orders").stream("retries")),
                "'retries' has two parents",
                "'assets' (by child 'one')",
                "'orders' (by child 'two')");
    }

    @Test
    void a_cycle_of_streams_naming_the_path() {
        assertRefused(
                b -> b.stream("a", s -> s).stream("b", s -> s).stream("c", s -> s)
                        .child("one", c -> c.of("a").stream("b"))
                        .child("two", c -> c.of("b").stream("c"))
                        .child("three", c -> c.of("c").stream("a")),
                "cycle",
                "b -> c -> a -> b");
        assertRefused(b -> b.stream("a", s -> s).child("one", c -> c.of("a").stream("a")), "cycle", "a -> a");
    }

    @Test
    void a_stream_with_a_parent_that_declares_entities() {
        assertRefused(
                b -> b.stream("retries", s -> s.entities("retry")).child("one", c -> c.of("assets").stream("retries")),
                "'retries' declares entities(retry)",
                "takes no appends");
    }

    @Test
    void concurrency_and_coalescing_for_a_child_that_publishes_and_concurrency_in_a_transaction() {
        assertRefused(
                b -> b.stream("retries", s -> s)
                        .child("one", c -> c.of("assets").stream("retries").concurrency(4)),
                "'one'",
                "concurrency 4");
        assertRefused(
                b -> b.stream("retries", s -> s)
                        .child("one", c -> c.of("assets").stream("retries").latestOnly()),
                "'one'",
                "latestOnly()");
        assertRefused(
                b -> b.child(
                        "one",
                        c -> c.of("assets")
                                .transactional((event, tx) -> Outcome.applied())
                                .concurrency(2)),
                "'one' is transactional",
                "partitions");
    }

    @Test
    void a_tree_that_does_not_fit_what_others_declared() {
        try (Fanout<MemoryTransaction> first = builder(
                        store, b -> b.stream("a", s -> s).stream("b", s -> s).child("one", c -> c.of("a").stream("b")))
                .build()) {
            assertRefusedElsewhere(
                    b -> b.stream("b", s -> s).child("two", c -> c.of("assets").stream("b")),
                    "'b' is stored as a child of stream 'a' (by child 'one')",
                    "(by child 'two')");
            assertRefusedElsewhere(
                    b -> b.stream("a", s -> s).stream("b", s -> s).child("back", c -> c.of("b").stream("a")),
                    "cycle",
                    "a -> b -> a");
            first.start();
        }
    }

    private void assertRefusedElsewhere(UnaryOperator<Fanout.Builder<MemoryTransaction>> declare, String... words) {
        MemoryStore other = database.connect();
        assertThatThrownBy(() -> builder(other, declare).build())
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContainingAll(words);
        other.close();
    }

    @Test
    void a_stream_stored_with_other_settings_with_both_values() {
        try (Fanout<MemoryTransaction> first = builder(store, b -> b).build()) {
            MemoryStore other = database.connect();
            assertThatThrownBy(() -> Fanout.builder(other).stream(
                                    "assets", s -> s.entities("asset").partitions(8))
                            .build())
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContainingAll("assets", "4", "8");
            MemoryStore another = database.connect();
            assertThatThrownBy(() -> Fanout.builder(another).stream(
                                    "assets", s -> s.entities("asset", "pump").partitions(4))
                            .build())
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContainingAll("assets", "asset", "pump");
            other.close();
            another.close();
            first.start();
        }
    }

    private void assertRefused(UnaryOperator<Fanout.Builder<MemoryTransaction>> declare, String... words) {
        assertThatThrownBy(() -> builder(store, declare).build())
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContainingAll(words);
    }

    private static Fanout.Builder<MemoryTransaction> builder(
            MemoryStore on, UnaryOperator<Fanout.Builder<MemoryTransaction>> declare) {
        return declare.apply(
                Fanout.builder(on).stream("assets", s -> s.entities("asset").partitions(4)));
    }

    @Test
    void a_store_that_has_an_engine_refuses_another_and_serves_the_first_on() throws Exception {
        MemoryStore store = MemoryStore.create();
        try (Fanout<MemoryTransaction> first =
                Fanout.builder(store).stream("assets", s -> s.entities("asset")).build()) {
            assertThatThrownBy(() -> Fanout.builder(store).build())
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining("one store for each engine");
            first.inTransaction(tx -> first.append(tx, Append.to("asset", "1").event("made", null)));
        }
    }

    @Test
    void what_is_null_is_named() {
        try (Fanout<MemoryTransaction> fanout = Fanout.builder(MemoryStore.create()).stream(
                        "assets", s -> s.entities("asset"))
                .build()) {
            Append append = Append.to("asset", "1").event("made", null);
            assertNamed("tx", () -> fanout.append(null, append));
            assertNamed("append", () -> fanout.inTransaction(tx -> fanout.append(tx, (Append) null)));
            assertNamed("batch", () -> fanout.inTransaction(tx -> fanout.append(tx, (List<Append>) null)));
            assertNamed(
                    "append 1 of the batch",
                    () -> fanout.inTransaction(tx -> fanout.append(tx, Arrays.asList(append, null))));
            assertNamed("work", () -> fanout.inTransaction(null));
            assertNamed("appended", () -> fanout.awaitApplied("c", null, Duration.ZERO));
            assertNamed(
                    "the spec of child c returned null",
                    () -> Fanout.builder(MemoryStore.create()).child("c", c -> null));
        }
    }

    @Test
    void a_wait_without_end_is_one() throws Exception {
        try (Fanout<MemoryTransaction> fanout = Fanout.builder(MemoryStore.create()).stream(
                        "assets", s -> s.entities("asset"))
                .child("c", c -> c.of("assets").projection(event -> Outcome.applied()))
                .build()) {
            fanout.start();
            Appended appended = fanout.inTransaction(
                    tx -> fanout.append(tx, Append.to("asset", "1").event("made", null)));
            assertThat(fanout.awaitApplied("c", appended, ChronoUnit.FOREVER.getDuration()))
                    .isEqualTo(Applied.APPLIED);
            assertThat(fanout.close(ChronoUnit.FOREVER.getDuration())).isTrue();
        }
    }

    private static void assertNamed(String name, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(name);
    }
}
