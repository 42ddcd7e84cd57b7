// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.Append;
import dev.fanout.AppendRefusedException;
import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.Fanout;
import dev.fanout.FanoutListener;
import dev.fanout.Outcome;
import dev.fanout.postgres.tests.kit.Books;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.spi.UnreadableException;
import dev.fanout.testkit.ChildJvm;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An event that passed every limit was more than anybody could read: 27 KB of numbers, or headers without end. */
@FanoutTest
class LargeEventsTest {

    private static final int LIMIT = 1 << 20;

    private final TestDatabase database;

    LargeEventsTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void empty() {
        database.execute("drop schema if exists fanout cascade");
    }

    @Test
    void nothing_is_read_longer_than_it_was_measured() throws Exception {
        Random random = new Random(20260102);
        try (Fanout<Connection> fanout = Engines.on(database.dataSource()).build()) {
            for (int i = 0; i < 60; i++) {
                List<Append> batch = new ArrayList<>();
                for (int n = 0; n < 5; n++) {
                    Append append = Append.to("asset", "asset-" + n)
                            .stateJson(json(random, 3))
                            .eventJson("asset.made", json(random, 3))
                            .header("h", text(random));
                    batch.add(n > 0 ? append : append.eventJson("asset.more", json(random, 3)));
                }
                fanout.inTransaction(tx -> fanout.append(tx, batch));
                fanout.inTransaction(tx -> fanout.append(tx, batch.get(1)));
                fanout.inTransaction(tx -> fanout.append(tx, batch.get(2).expecting(1)));
                database.execute("truncate fanout.outbox");
                assertMeasured();
                database.execute("truncate fanout.event, fanout.entity");
            }
        }
    }

    private void assertMeasured() {
        assertThat(database.number("select count(*) from fanout.event"
                        + " where octet_length(payload::text) + coalesce(octet_length(headers::text), 0) > size"))
                .isZero();
        assertThat(database.number("select count(*) from fanout.event where size < 11"))
                .isZero();
    }

    @Test
    void an_event_that_would_grow_over_the_limit_when_it_is_read_is_refused() {
        String bomb = "[" + String.join(",", Collections.nCopies(3_000, "1e999")) + "]";
        Append headers = Append.to("asset", "1").event("asset.made", 1);
        for (int i = 0; i < 129; i++) {
            headers = headers.header("h" + i, "v".repeat(8_192));
        }
        Append heavy = headers;
        try (Fanout<Connection> fanout = Engines.on(database.dataSource()).build()) {
            assertThatThrownBy(() -> fanout.inTransaction(
                            tx -> fanout.append(tx, Append.to("asset", "1").eventJson("asset.made", bomb))))
                    .isInstanceOf(AppendRefusedException.class)
                    .hasMessageContainingAll("payload of asset.made", "limit of " + LIMIT);
            assertThatThrownBy(() -> fanout.inTransaction(tx -> fanout.append(
                            tx, Append.to("asset", "1").event("asset.made", 1).stateJson(bomb))))
                    .isInstanceOf(AppendRefusedException.class)
                    .hasMessageContaining("state of default/asset/1");
            assertThatThrownBy(() -> fanout.inTransaction(tx -> fanout.append(tx, heavy)))
                    .isInstanceOf(AppendRefusedException.class)
                    .hasMessageContainingAll("payload of asset.made", "of them headers");
        }
    }

    @Test
    void a_number_at_the_edge_of_what_is_read_back_is_decoded_by_the_projection() throws Exception {
        List<Object> decoded = Collections.synchronizedList(new ArrayList<>());
        try (Fanout<Connection> fanout = Engines.started(database.dataSource(), event -> {
            decoded.add(event.payload().as(Object.class));
            return Outcome.applied();
        })) {
            var appended = fanout.inTransaction(tx -> fanout.append(
                    tx,
                    Append.to("asset", "1")
                            .eventJson("asset.made", "[1e999,-1e-999," + "[".repeat(498) + "]".repeat(498) + "]")));
            assertThat(fanout.awaitApplied(Engines.CHILD, appended, Engines.PATIENCE))
                    .isEqualTo(Applied.APPLIED);
        }
        assertThat(decoded.size()).isEqualTo(1);
    }

    @Test
    void events_at_the_limit_are_published_and_delivered_in_a_small_heap() throws Exception {
        int events = 40;
        String numbers = "[" + String.join(",", Collections.nCopies(523, "1e999")) + "]";
        try (Fanout<Connection> fanout = Engines.on(database.dataSource()).build()) {
            for (int i = 0; i < events; i++) {
                Append append = Append.to("asset", "asset-" + i).eventJson("asset.made", numbers);
                for (int h = 0; h < 63; h++) {
                    append = append.header("h" + h, "é".repeat(4_096));
                }
                Append full = append;
                fanout.inTransaction(tx -> fanout.append(tx, full));
            }
        }
        assertThat(database.number("select min(size) from fanout.event")).isBetween(LIMIT * 99L / 100, (long) LIMIT);
        try (ChildJvm engine = ChildJvm.running(DrainProcess.class)
                .options("-Xmx64m", "-XX:+ExitOnOutOfMemoryError")
                .arguments(database.jdbcUrl(), database.user(), Long.toString(events))
                .start()) {
            engine.awaitLine("drained " + events, Duration.ofMinutes(2));
            assertThat(engine.awaitExit(Duration.ofMinutes(1))).isZero();
        }
        new Books(database).assertBalanced();
    }

    /** No append lets such an event pass any more; it stands for whatever else can be written and not be read. */
    @Test
    void an_event_that_can_not_be_read_stops_neither_the_lane_nor_another_partition() throws Exception {
        Set<String> applied = ConcurrentHashMap.newKeySet();
        CountDownLatch told = new CountDownLatch(1);
        FanoutListener listener = new FanoutListener() {
            @Override
            public void failed(String child, int partition, int attempts, @Nullable Throwable cause, Duration pause) {
                if (cause instanceof UnreadableException) {
                    told.countDown();
                }
            }
        };
        try (Fanout<Connection> fanout = Engines.on(database.dataSource(), 2)
                .settings(Engines.BRISK.slabRecords(8).leaseLength(Duration.ofSeconds(30)))
                .listener(listener)
                .child(
                        Engines.CHILD,
                        child -> child.of(Engines.STREAM).fromBeginning().projection(event -> {
                            applied.add(event.entity().id());
                            return Outcome.applied();
                        }))
                .build()) {
            Appended heavy = fanout.inTransaction(tx -> fanout.append(tx, Engines.renamed("heavy")));
            database.execute("update fanout.event set payload ="
                    + " (select jsonb_agg('1e131071'::jsonb) from generate_series(1, 8300))");
            for (int i = 0; i < 20; i++) {
                Engines.append(fanout, "light-" + i);
            }
            fanout.start();

            assertThat(told.await(Engines.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            Awaitility.await()
                    .atMost(Engines.PATIENCE)
                    .until(() -> database.number("select count(*) from fanout.log") == 21);
            long beside = database.number("select count(*) from fanout.log where partition not in"
                    + " (select partition from fanout.log order by event_seq limit 1)");
            Awaitility.await().atMost(Engines.PATIENCE).until(() -> applied.size() >= beside);
            assertThat(beside).isPositive();
            assertThat(applied).doesNotContain("heavy");

            database.execute("update fanout.event set payload = '1' where version = 1");
            assertThat(fanout.awaitApplied(Engines.CHILD, heavy, Engines.PATIENCE))
                    .isEqualTo(Applied.APPLIED);
        }
    }

    private static String json(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 6 : 4)) {
            case 0 -> number(random);
            case 1 -> random.nextBoolean() ? "null" : "true";
            case 2, 3 -> random.nextBoolean() ? number(random) : '"' + escaped(random) + '"';
            case 4 -> several(random, "[", depth, "", "]");
            default -> several(random, "{", depth, "\"" + escaped(random) + "\"" + space(random) + ":", "}");
        };
    }

    private static String several(Random random, String open, int depth, String name, String close) {
        List<String> members = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            String key = name.isEmpty() ? "" : name.replaceFirst("\"", "\"" + random.nextInt(4));
            members.add(space(random) + key + space(random) + json(random, depth - 1) + space(random));
        }
        return open + String.join(",", members) + space(random) + close;
    }

    private static String number(Random random) {
        String whole = random.nextInt(3) == 0 ? "0" : "" + (1 + random.nextInt(999_999));
        String fraction = random.nextBoolean() ? "" : "." + random.nextInt(1_000_000);
        String exponent = random.nextInt(3) == 0
                ? ""
                : (random.nextBoolean() ? "e" : "E+").replace(random.nextBoolean() ? "+" : "-", "")
                        + random.nextInt(900);
        String small = exponent.isEmpty() && random.nextBoolean() ? "e-" + random.nextInt(900) : exponent;
        return (random.nextBoolean() ? "-" : "") + whole + fraction + small;
    }

    private static String space(Random random) {
        return List.of("", "", " ", "\n\t").get(random.nextInt(4));
    }

    private static String escaped(Random random) {
        return List.of("", "a", "é☃", "😀", "\\ud83d\\ude00", "\\u0001\\n\\/\\\"\\\\", "\\u00e9", "\u007f\u2028")
                .get(random.nextInt(8));
    }

    private static String text(Random random) {
        return List.of("v", "é☃", "😀", "\u0001\n\"\\/", "\u007f\u2028 ").get(random.nextInt(5));
    }
}
