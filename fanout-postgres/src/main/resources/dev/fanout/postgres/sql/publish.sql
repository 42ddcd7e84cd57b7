-- Moves visible rows of a lane from the outbox to the ends of their partitions, by ascending id, and returns them, with their events
-- if asked. One statement, one snapshot: rows above the mark and rows of the missing ranges below it are seen at the same moment
-- (two looks would strand the row that commits between them), and so are the transaction ids that it reports.
-- Parameters: 1 lane · 2 mark · 3 limit · 4 low[] · 5 high[] of the missing ranges · 6 lane · 7 limit · 8 limit
--   · 9 and 10 bytes of payload and headers to return at the most · 11 with events
-- Returns running (all transaction ids below have ended), next (none from here on has been given out), and per row id, stream,
--   partition, position, committed_at (microseconds), entity_no, version, size, event id, type, deleted, headers, occurred_at
--   (microseconds), tenant, entity type, entity id, payload (with the headers null beyond the bytes). One row with a null id if there was nothing.
-- Reads: outbox by primary key, never below the mark but inside the ranges; log, one backward probe of the primary key per partition;
--   event and entity by primary key. Writes: outbox (delete), log (insert). Locks: the rows deleted. Writes nothing, and so draws no
--   transaction id, when there is nothing to publish.
-- MUST be the first statement of its transaction that writes: next is then above the id of every transaction that had drawn an
--   outbox id before the snapshot. Not pg_snapshot_xmax(), see read-next-transaction-id.sql.
-- The delete goes by the places of the rows that were picked: no second search through the index, flat under dead rows (a join grew
-- from 54 to 259 ms under 240,000), and with no other plan to fall for (a range read the whole backlog each time where statistics
-- said that there was none). A row's place can't change meanwhile: outbox rows are never updated.
-- event and entity are joined LATERAL .. LIMIT 1: whatever the statistics say of these tables, the only plan is a probe per row.
-- committed_at is forced monotonic per partition by its last row's. Positions follow ids, which follow versions within an entity.
with picked as materialized (
    select p.ctid
      from ((select o.ctid, o.id from ${schema}.outbox o where o.lane = ? and o.id > ? order by o.id limit ?)
            union all
            (select l.ctid, l.id
               from unnest(?::bigint[], ?::bigint[]) r (low, high)
              cross join lateral (select o.ctid, o.id from ${schema}.outbox o
                                   where o.lane = ? and o.id between r.low and r.high order by o.id limit ?) l)) p
     order by p.id limit ?
), taken as (
    delete from ${schema}.outbox o
     where o.ctid = any (array(select p.ctid from picked p))
    returning o.id, o.event_seq, o.stream, o.partition
), head as materialized (
    select d.stream, d.partition, coalesce(h.position, -1) as position, h.committed_at
      from (select distinct t.stream, t.partition from taken t) d
      left join lateral (select l.position, l.committed_at from ${schema}.log l
                          where l.stream = d.stream and l.partition = d.partition
                          order by l.position desc limit 1) h on true
), placed as materialized (
    select t.id, t.event_seq, t.stream, t.partition,
           h.position + row_number() over (partition by t.stream, t.partition order by t.id) as position,
           greatest(h.committed_at, (select pg_catalog.clock_timestamp())) as committed_at
      from taken t
      join head h on h.stream = t.stream and h.partition = t.partition
), logged as (
    insert into ${schema}.log (stream, partition, position, event_seq, committed_at)
    select p.stream, p.partition, p.position, p.event_seq, p.committed_at from placed p
), seen as materialized (
    select pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text::bigint as running,
           pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::text::bigint as xmax
)
select s.running,
       s.xmax + ((pg_catalog.age('3'::xid)::bigint + 3 - s.xmax) & 4294967295) as next,
       p.id, p.stream, p.partition, p.position, (date_part('epoch', p.committed_at) * 1000000)::bigint,
       e.entity_no, e.version, e.size, e.id, e.type, e.deleted,
       case when sum(e.size) over (rows unbounded preceding) <= ? then e.headers::text end,
       (date_part('epoch', e.occurred_at) * 1000000)::bigint,
       t.tenant, t.type, t.id,
       case when sum(e.size) over (rows unbounded preceding) <= ? then e.payload::text end
  from seen s
  left join placed p on true
  left join lateral (select * from ${schema}.event v where v.seq = p.event_seq and ? limit 1) e on true
  left join lateral (select * from ${schema}.entity n where n.no = e.entity_no limit 1) t on true
