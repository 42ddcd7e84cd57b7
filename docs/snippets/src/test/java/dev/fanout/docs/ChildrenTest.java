// SPDX-License-Identifier: Apache-2.0
package dev.fanout.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Append;
import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.ChildSpec;
import dev.fanout.Children;
import dev.fanout.Children.Child;
import dev.fanout.Children.State;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.Filter;
import dev.fanout.Outcome;
import dev.fanout.ParkedEntity;
import dev.fanout.Projection;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The snippets on children of all kinds, and on those that come and go. */
@FanoutTest
class ChildrenTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final TestDatabase database;
    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    ChildrenTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void empty() throws Exception {
        database.execute("drop schema if exists fanout cascade");
    }

    private final class AuditCopy implements Projection {
        @Override
        public Outcome apply(Event event) {
            told.add("copy " + event.entity().id());
            return Outcome.applied();
        }
    }

    @Test
    void all_kinds() throws Exception {
        try (HikariDataSource dataSource = database.pool(4)) {
            Projection search = event -> event.payload().json().contains("module")
                    ? Outcome.park("no such kind")
                    : telling("search").apply(event);
            Projection reminders = telling("reminders");
            Projection classes = telling("classes");
            Projection audit = telling("audit");
            // snippet: children
            Fanout<Connection> fanout = Fanout.builder(PostgresStore.of(dataSource)).stream(
                            "assets", s -> s.entities("asset").partitions(4))
                    .stream("audit", s -> s.partitions(16))
                    .child("search", c -> c.of("assets").projection(search))
                    .child(
                            "reminders",
                            c -> c.of("assets").delay(Duration.ofDays(3)).projection(reminders))
                    .child(
                            "classes",
                            c -> c.of("assets").filter(Filter.type("class.*")).projection(classes))
                    .child("to-audit", c -> c.of("assets").stream("audit"))
                    .child("audit", c -> c.of("audit").projection(audit))
                    .build();
            // end
            try (fanout) {
                fanout.start();
                Appended one = append(fanout, "1", "class");
                Appended two = append(fanout, "2", "module");
                for (String child : new String[] {"search", "classes", "audit"}) {
                    assertThat(fanout.awaitApplied(child, one, SOON)).isEqualTo(Applied.APPLIED);
                }
                assertThat(fanout.awaitApplied("search", two, SOON)).isEqualTo(Applied.PARKED);
                // snippet: come-and-go
                fanout.children().pause("reminders"); // stands still until resume
                fanout.children().detach("classes"); // gone until attach
                for (ParkedEntity parked : fanout.children().parked("search")) {
                    fanout.children().requeue("search", parked.entity()); // parked.cause() says what to mend first
                }
                // end
                assertThat(fanout.children().list())
                        .extracting(Child::name, Child::state)
                        .contains(tuple("reminders", State.PAUSED), tuple("classes", State.DETACHED));
            }
        }
        assertThat(told).contains("search 1", "classes 1", "audit 1", "audit 2").doesNotContain("classes 2");
    }

    @Test
    void come_and_go() throws Exception {
        try (HikariDataSource dataSource = database.pool(4);
                Fanout<Connection> fanout = Fanout.builder(PostgresStore.of(dataSource))
                        // snippet: retention
                        .stream("assets", s -> s.entities("asset").retention(Duration.ofDays(30)))
                        // end
                        .child("asset-search", c -> c.of("assets").projection(telling("search")))
                        .build()) {
            fanout.start();
            Appended before = append(fanout, "1", "class");
            // snippet: attach
            Children<Connection> children = fanout.children();
            children.detach("asset-search"); // nothing it does from now on is stored
            children.attach("asset-search"); // anew, at the tail
            children.attach(ChildSpec.<Connection>named("audit-copy") // one that was not declared at build
                    .of("assets")
                    .projection(new AuditCopy())
                    .fromBeginning());
            children.pause("asset-search"); // stands still, forgets nothing
            children.resume("asset-search");
            children.list(); // name, stream, epoch, state, known here?, needs rebuild?
            // end
            assertThat(fanout.awaitApplied("audit-copy", before, SOON)).isEqualTo(Applied.APPLIED);
            Appended after = append(fanout, "1", "class");
            assertThat(fanout.awaitApplied("asset-search", after, SOON)).isEqualTo(Applied.APPLIED);
        }
        assertThat(told).contains("copy 1");
    }

    private static Appended append(Fanout<Connection> fanout, String id, String kind) throws Exception {
        return fanout.inTransaction(tx ->
                fanout.append(tx, Append.to("asset", id).event(kind + ".made", Map.of("kind", kind))));
    }

    private Projection telling(String who) {
        return event -> {
            told.add(who + " " + event.entity().id());
            return Outcome.applied();
        };
    }
}
