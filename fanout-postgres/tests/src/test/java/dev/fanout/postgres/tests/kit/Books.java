// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.testkit.TestDatabase;
import org.awaitility.Awaitility;

/** An independent look at the tables, by SQL of its own and never by the library's counters. */
public final class Books {

    private final TestDatabase database;

    public Books(TestDatabase database) {
        this.database = database;
    }

    /** Waits until nothing waits for publication and every child has examined all there is. */
    public void awaitDrained() {
        Awaitility.await().atMost(Engines.PATIENCE).until(this::drained);
    }

    private boolean drained() {
        return database.number("select count(*) from fanout.outbox") == 0 && pending() == 0;
    }

    private long pending() {
        return database.number("""
                select coalesce(sum(head.end - coalesce(at.position, 0)), 0)
                  from fanout.attachment a
                  join (select stream, partition, max(position) + 1 as end from fanout.log group by 1, 2) head
                    on head.stream = a.stream
                  left join (select attachment, partition, max(position) as position from fanout.cursor group by 1, 2) at
                    on at.attachment = a.no and at.partition = head.partition""");
    }

    /** What must hold whenever the outbox is empty. */
    public void assertBalanced() {
        assertThat(database.number("select count(*) from fanout.outbox"))
                .as("rows that wait")
                .isZero();
        assertThat(database.number("""
                        select count(*)
                          from fanout.event e
                          left join (select event_seq, count(*) as times from fanout.log group by event_seq) l
                            on l.event_seq = e.seq
                         where coalesce(l.times, 0) <> cardinality(e.streams)"""))
                .as("events that are not in the log once for each of their streams")
                .isZero();
        assertThat(database.number("""
                        select count(*)
                          from (select position, row_number() over (partition by stream, partition order by position) - 1 as n
                                  from fanout.log) p
                         where position <> n""")).as("holes and repeats in the log").isZero();
        assertThat(disorder())
                .as("records below an older version of their entity")
                .isZero();
        assertThat(database.number("""
                        select count(*)
                          from fanout.entity n
                          left join (select entity_no, count(*) as events from fanout.event group by entity_no) e
                            on e.entity_no = n.no
                         where n.version <> coalesce(e.events, 0)"""))
                .as("entities whose version is not the number of their events")
                .isZero();
        assertThat(database.number("select coalesce(sum(lost), 0) from fanout.cursor"))
                .as("records counted as lost")
                .isZero();
    }

    /** Records of the log that come after a newer one of their entity. */
    public long disorder() {
        return database.number("""
                select count(*)
                  from (select e.version, lag(e.version) over (partition by l.stream, e.entity_no order by l.position) as before
                          from fanout.log l join fanout.event e on e.seq = l.event_seq) o
                 where before >= version""");
    }
}
