-- Puts records of a stream into the outbox of a child stream, in the transaction that moves the cursor: no loss, no repeat.
-- Parameters: 1 stream · 2 partition · 3 attachment · 4 positions (bigint[], ascending) · 5 entity numbers (bigint[]) · 6 versions
--   (bigint[]) · 7 streams (integer[]) · 8 partitions (integer[]) they go to
-- Reads: log by primary key, one probe per record, and parked_event by primary key for those that the log does not hold
-- Writes: outbox (insert) · Locks: the new rows
-- The log first: only a record whose log row was removed by age while it was parked is taken from where it is parked.
-- Returns how many were put there. Fewer than asked for: some are in neither any longer; the caller rolls back and reads again.
-- MUST follow a statement of its transaction that writes: an outbox id is only drawn by a transaction that has its own. MUST draw the ids
--   in the order of the positions, which is version order per entity: the outer OFFSET 0 keeps the draw behind the sort, the inner
--   one keeps the probes from being made twice. Two owners of one cursor can't mix: the later one takes the lease only once the
--   earlier one's transaction has ended.
with passed as (
    insert into ${schema}.outbox (id, event_seq, lane, stream, partition)
    select pg_catalog.nextval('${schema}.outbox_lane_0'), f.event_seq, 0, f.stream, f.partition
      from (select l.event_seq, n.stream, n.partition
              from (select ?::integer as stream, ?::integer as partition, ?::integer as attachment) p
             cross join unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::integer[], ?::integer[])
                        n (position, entity_no, version, stream, partition)
             cross join lateral (select coalesce(
                                    (select g.event_seq from ${schema}.log g
                                      where g.stream = p.stream and g.partition = p.partition and g.position = n.position),
                                    (select k.event_seq from ${schema}.parked_event k
                                      where k.attachment = p.attachment and k.entity_no = n.entity_no
                                        and k.version = n.version)) as event_seq offset 0) l
             where l.event_seq is not null
             order by n.position offset 0) f
    returning id
)
select count(*) from passed
