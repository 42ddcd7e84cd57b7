-- Reads a slab of what is due: as read-log.sql, but a record must have been published long enough ago.
-- Parameters: 1 delay in microseconds · 2 stream · 3 partition · 4 first position · 5 how many at the most · 6 stream · 7 partition
--   · 8 first position · 9 bytes of payload at the most · 10 how many at the most
-- Returns the columns of read-log.sql, and due_in (microseconds, rounded up): null for a record that is due. The first that is not due,
--   if it is right behind those returned, comes last, with its position and due_in alone.
-- Reads: as read-log.sql; if the first record is not due, that one row of log and nothing else, however many are pending · Locks: nothing
-- committed_at never falls within a partition, so the first that is not due proves that none behind it is. Never early: the clock is read
--   once, before any record, and it is the one that wrote committed_at.
with clock as materialized (
    select pg_catalog.clock_timestamp() - ?::bigint * interval '1 microsecond' as published
)
select s.position, (date_part('epoch', s.committed_at) * 1000000)::bigint,
       s.entity_no, s.version, s.size, s.id, s.type, s.deleted, s.headers::text,
       (date_part('epoch', s.occurred_at) * 1000000)::bigint,
       s.tenant, s.entity_type, s.entity_id, s.payload::text,
       case when not s.is_due then
           pg_catalog.ceil(extract(epoch from s.committed_at - (select k.published from clock k)) * 1000000)::bigint end as due_in
  from (select l.position, l.committed_at, l.is_due, e.*,
               coalesce(sum(e.size) over (order by l.position rows unbounded preceding), 0) as bytes,
               row_number() over (order by l.position rows unbounded preceding) as nth
          from (select g.position, g.committed_at, g.event_seq,
                       g.committed_at <= (select k.published from clock k) as is_due
                  from ${schema}.log g
                 where g.stream = ? and g.partition = ? and g.position >= ?
                 order by g.position
                 limit (select case when f.committed_at <= k.published then ?::bigint + 1 else 1 end
                          from clock k
                         cross join lateral (select h.committed_at from ${schema}.log h
                                              where h.stream = ? and h.partition = ? and h.position >= ?
                                              order by h.position limit 1) f)) l
          left join lateral (select v.entity_no, v.version, v.size, v.id, v.type, v.deleted, v.headers, v.occurred_at, v.payload,
                                    t.tenant, t.type as entity_type, t.id as entity_id
                               from ${schema}.event v
                               join ${schema}.entity t on t.no = v.entity_no
                              where v.seq = l.event_seq and l.is_due
                             offset 0) e on true) s
 where (s.bytes <= ? or s.nth = 1 or (s.nth = 2 and not s.is_due))
   and (s.nth <= ? or not s.is_due)
 order by s.position
