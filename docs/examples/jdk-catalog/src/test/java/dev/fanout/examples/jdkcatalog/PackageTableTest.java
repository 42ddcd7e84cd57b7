// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Event;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@FanoutTest
class PackageTableTest {

    private static final Asset MAP = Events.asset("HashMap", "java.util", 10);
    private static final Asset SET = Events.asset("HashSet", "java.util", 20);

    private final PackageTable table = new PackageTable();
    private final TestDatabase database;

    PackageTableTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeAll
    static void create(TestDatabase database) throws SQLException {
        Workspace.createTables(database.dataSource());
    }

    @AfterEach
    void reset() throws SQLException {
        inTransaction(table::reset);
    }

    @Test
    void a_total_is_the_sum_of_its_members() throws SQLException {
        apply(Events.changed(MAP, 1), Events.changed(SET, 1));

        assertThat(totals()).containsExactly("java.util 2 30 2");
    }

    @Test
    void a_member_that_moves_is_taken_away_where_it_was() throws SQLException {
        apply(Events.changed(MAP, 1), Events.changed(SET, 1));
        apply(Events.changed(MAP.movedTo("desk"), 2));

        assertThat(totals()).containsExactly("desk 1 10 1", "java.util 1 20 2");
    }

    @Test
    void a_member_that_moves_to_and_fro_in_one_slab_is_where_it_is_last() throws SQLException {
        apply(Events.changed(MAP, 1), Events.changed(MAP.movedTo("desk"), 2), Events.changed(MAP.resized(11), 3));

        assertThat(totals()).containsExactly("desk 0 0 1", "java.util 1 11 2");
    }

    @Test
    void a_retired_member_adds_nothing() throws SQLException {
        apply(Events.changed(MAP, 1));
        apply(Events.retired(MAP, 2));

        assertThat(totals()).containsExactly("java.util 0 0 2");
        assertThat(database.number("SELECT count(*) FROM package_member")).isZero();
    }

    private void apply(Event... slab) throws SQLException {
        inTransaction(tx -> table.apply(List.of(slab), tx));
    }

    private interface Work {
        void in(Connection tx) throws SQLException;
    }

    private void inTransaction(Work work) throws SQLException {
        try (Connection tx = database.connect()) {
            tx.setAutoCommit(false);
            work.in(tx);
            tx.commit();
        }
    }

    private List<String> totals() {
        return database.column("SELECT concat_ws(' ', package_name, classes, bytes, changes)"
                + " FROM package_total ORDER BY package_name");
    }
}
