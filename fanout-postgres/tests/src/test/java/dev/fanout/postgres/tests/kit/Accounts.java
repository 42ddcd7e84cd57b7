// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.testkit.TestDatabase;

/** The law of conservation, read from the tables: each examined record is accounted for, at every moment. */
public final class Accounts {

    private static final String UNBALANCED = """
            select count(*)
              from (select distinct on (attachment, partition) *
                      from fanout.cursor order by attachment, partition, step desc) c
             where c.applied + c.gated + c.skipped + c.filtered + c.parked + c.discarded + c.lost <> c.position - c.anchor
                or c.parked <> (select count(*) from fanout.parked_event p
                                 where p.attachment = c.attachment and p.partition = c.partition
                                   and p.position < c.position)
                or exists (select from fanout.parked_event p
                            where p.attachment = c.attachment and p.partition = c.partition
                              and not exists (select from fanout.parked_entity e
                                               where e.attachment = p.attachment and e.entity_no = p.entity_no))""";

    private Accounts() {}

    /** May be asked while everything runs: it is one statement, and so one moment. */
    public static void assertConserved(TestDatabase database) {
        assertThat(database.number(UNBALANCED))
                .as("cursors whose counts are not what they examined and parked")
                .isZero();
    }
}
