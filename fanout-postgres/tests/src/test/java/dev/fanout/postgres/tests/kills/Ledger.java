// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kills;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.postgres.tests.kit.Books;
import dev.fanout.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** What is checked when the killing is over: by SQL of its own, and a file outside the database. */
record Ledger(TestDatabase database, Path chronicle) {

    void assertNothingLostAndNothingTwice(Set<String> acknowledged) throws IOException {
        Set<String> events = new TreeSet<>(database.column(
                "select n.id || ' ' || e.version from fanout.event e join fanout.entity n on n.no = e.entity_no"));
        assertThat(events).as("what was acknowledged is there").containsAll(acknowledged);
        new Books(database).assertBalanced();

        assertThat(database.number("select count(*) from applied"))
                .as("transactional effects: one for each event")
                .isEqualTo(events.size());
        assertThat(new TreeSet<>(database.column("select asset || ' ' || version from applied")))
                .isEqualTo(events);
        assertThat(database.number("""
                        select count(*)
                          from (select version, lag(version) over (partition by asset order by no) as before from applied) o
                         where before >= version"""))
                .as("transactional effects out of order")
                .isZero();

        assertThat(Chronicle.told(chronicle)).as("other effects: at least once").isEqualTo(events);
        Chronicle.assertFirstsInOrder(chronicle);
        Chronicle.assertVersionsOnlyGrow(chronicle);
    }
}
