-- Writes steps of several children: for each its cursor's row and its gates, or nothing of it. A step is refused alone, and takes no other
-- with it.
-- Parameters, one array entry per step: 1 attachment · 2 epoch · 3 resource · 4 node · 5 token · 6 stream · 7 partition · 8 step · 9 position
--   · 10 applied · 11 gated · 12 skipped · 13 filtered · 14 parked · 15 discarded · 16 lost · 17 step it begins at · 18 position it begins at
--   · 19 position of the last record, -1 for none · 20 when it was published (microseconds) · 21 its event id
--   one entry per gate to add: 22 number of its step, from 1 · 23 entity number · 24 version; per gate to remove: 25, 26, 27 the same
-- Returns per step, in order: whether the lease is the caller's and the epoch not over, and whether the step was written.
-- Reads: lease and attachment by primary key; cursor, log, event and gate by probes of the primary key · Writes: cursor, gate
-- Locks: the lease rows FOR SHARE by ascending resource (bytewise, as raise-tokens.sql locks them), then the new and the removed rows
-- MUST NOT be given two steps of one child's partition: both would be told of the row that one of them added.
-- The fence needs not be the last here: it is in the statement that writes, and what it locks stays locked to the end. Whoever ends an
-- ownership or an epoch changes the lease row's token, waits for this commit, or is waited for, and then the step is not written.
-- Step AND position are compared: after a lost commit another process may have written as many steps to other positions. Compared, not
-- updated: an updated row rots under a held snapshot (10,900 fell to 960 advances a second).
-- Why the last record is enough, and the time needed: a crash loses a suffix of commits. If that very row of the log survived, so did
-- all that was published before it. The event alone could stand there again with others before it: 9, 8 published one by one, lost,
-- and 7, 8, 9 published together put 8 in the same place, and 7 would be skipped. A row that is gone although later ones are there was
-- removed by age after it had been read: no loss.
-- A gate's version that is there already is no error: a gate read before a lost commit may be written again. Rows left behind are
-- removed by their keys and places: a range would read again, each time, all rows that are dead but held by an old snapshot.
with step as materialized (
    select s.*
      from unnest(?::integer[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::integer[], ?::integer[], ?::bigint[], ?::bigint[],
                  ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[],
                  ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[]) with ordinality
           s (attachment, epoch, resource, node, token, stream, partition, step, position,
              applied, gated, skipped, filtered, parked, discarded, lost,
              from_step, from_position, last_position, last_at, last_event, ord)
), owned as materialized (
    select s.ord
      from step s
      join ${schema}.lease l on l.resource = s.resource and l.node = s.node and l.token = s.token
      join ${schema}.attachment a on a.no = s.attachment and a.epoch = s.epoch and a.detached_at is null
     order by l.resource collate "C"
       for share of l
), added as (
    insert into ${schema}.cursor
           (attachment, partition, step, position, anchor, applied, gated, skipped, filtered, parked, discarded, lost)
    select s.attachment, s.partition, s.step, s.position, coalesce(h.anchor, 0),
           s.applied, s.gated, s.skipped, s.filtered, s.parked, s.discarded, s.lost
      from owned o
      join step s on s.ord = o.ord
      left join lateral (select c.step, c.position, c.anchor from ${schema}.cursor c
                          where c.attachment = s.attachment and c.partition = s.partition
                          order by c.step desc limit 1) h on true
     where coalesce(h.step, 0) = s.from_step and coalesce(h.position, 0) = s.from_position
       and (s.last_position < 0
            or exists (
               select from ${schema}.log l
                where l.stream = s.stream and l.partition = s.partition and l.position = s.last_position
                  and (date_part('epoch', l.committed_at) * 1000000)::bigint = s.last_at
                  and (select v.id from ${schema}.event v where v.seq = l.event_seq) = s.last_event::uuid)
            or (select min(l.position) from ${schema}.log l
                 where l.stream = s.stream and l.partition = s.partition and l.position >= s.last_position) > s.last_position)
    on conflict (attachment, partition, step) do nothing
    returning attachment, partition, step
), written as materialized (
    select s.ord, s.attachment, s.partition, s.from_step
      from added d
      join step s on s.attachment = d.attachment and s.partition = d.partition and s.step = d.step
), left_behind as (
    delete from ${schema}.cursor c
     where c.ctid = any (array(
           select p.ctid
             from written w
            cross join lateral (select o.ctid from ${schema}.cursor o
                                 where o.attachment = w.attachment and o.partition = w.partition and o.step = w.from_step limit 1) p))
), raised as (
    insert into ${schema}.gate (attachment, entity_no, version)
    select w.attachment, n.entity_no, n.version
      from unnest(?::integer[], ?::bigint[], ?::bigint[]) n (ord, entity_no, version)
      join written w on w.ord = n.ord
    on conflict (attachment, entity_no, version) do nothing
), passed as (
    delete from ${schema}.gate g
     where g.ctid = any (array(
           select p.ctid
             from unnest(?::integer[], ?::bigint[], ?::bigint[]) n (ord, entity_no, version)
             join written w on w.ord = n.ord
            cross join lateral (select o.ctid from ${schema}.gate o
                                 where o.attachment = w.attachment and o.entity_no = n.entity_no and o.version = n.version limit 1) p))
)
select o.ord is not null, w.ord is not null
  from step s
  left join owned o on o.ord = s.ord
  left join written w on w.ord = s.ord
 order by s.ord
