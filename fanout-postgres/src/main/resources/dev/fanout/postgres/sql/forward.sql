-- Puts records of a stream into the outbox of a child stream, in the transaction that moves the cursor: no loss, no repeat.
-- Parameters: 1 stream · 2 partition · 3 positions (bigint[], ascending) · 4 streams (integer[]) · 5 partitions (integer[]) they go to
-- Reads: log by primary key, one probe per record · Writes: outbox (insert) · Locks: the new rows
-- Returns how many were put there. Fewer than asked for: the log holds some no longer; the caller rolls back and reads again.
-- MUST follow a statement of its transaction that writes: an outbox id is only drawn by a transaction that has its own. MUST draw the ids
--   in the order of the positions, which is version order per entity: OFFSET 0 keeps the draw behind the sort. Two owners of one cursor
--   can't mix: the later one takes the lease only once the earlier one's transaction has ended.
with passed as (
    insert into ${schema}.outbox (id, event_seq, lane, stream, partition)
    select pg_catalog.nextval('${schema}.outbox_lane_0'), f.event_seq, 0, f.stream, f.partition
      from (select l.event_seq, n.stream, n.partition
              from (select ?::integer as stream, ?::integer as partition) p
             cross join unnest(?::bigint[], ?::integer[], ?::integer[]) n (position, stream, partition)
             cross join lateral (select g.event_seq from ${schema}.log g
                                  where g.stream = p.stream and g.partition = p.partition and g.position = n.position limit 1) l
             order by n.position offset 0) f
    returning id
)
select count(*) from passed
