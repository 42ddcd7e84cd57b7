// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kills;

import dev.fanout.testkit.TestDatabase;

/** Property P1 by independent SQL: the application's row, the entity, its event and its outbox row, all or none. */
enum Whole {
    ALL,
    NONE,
    /** An orphan: some of the four. */
    PART;

    /** The application's own table, written in the same transaction as the append. */
    static final String TABLE = "create table if not exists asset (id text primary key, name text)";

    /** Looks at one asset with at most one event, before any relay has. */
    static Whole of(TestDatabase database, String asset) {
        long there = database.number("""
                select (select count(*) from asset where id = a.id)
                     + (select count(*) from fanout.entity where type = 'asset' and id = a.id)
                     + (select count(*) from fanout.event e join fanout.entity n on n.no = e.entity_no where n.id = a.id)
                     + (select count(*) from fanout.outbox o join fanout.event e on e.seq = o.event_seq
                                                            join fanout.entity n on n.no = e.entity_no where n.id = a.id)
                  from (select ?::text as id) a""", asset);
        return there == 0 ? NONE : there == 4 ? ALL : PART;
    }
}
