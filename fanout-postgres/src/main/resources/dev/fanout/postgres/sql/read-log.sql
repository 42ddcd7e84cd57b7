-- Reads a slab: the records of a partition from a position on, in order, in one snapshot.
-- Parameters: 1 stream · 2 partition · 3 first position · 4 how many at the most · 5 bytes of payload and headers at the most
-- Returns position, committed_at (microseconds) and the event as publish.sql does. The first record comes in any case; the first
--   that would go over the bytes ends the slab.
-- Reads: log by a range of the primary key; event and entity by primary key, once per record · Locks: nothing
-- The payload is turned into text only where it is returned. The running sum needs no sort: the index gives the order.
-- OFFSET 0 keeps events joined by their key, row by row: from statistics the planner may come to hash whole tables for every slab.
select s.position, (date_part('epoch', s.committed_at) * 1000000)::bigint,
       s.entity_no, s.version, s.size, s.id, s.type, s.deleted, s.headers::text,
       (date_part('epoch', s.occurred_at) * 1000000)::bigint,
       s.tenant, s.entity_type, s.entity_id, s.payload::text
  from (select l.position, l.committed_at, e.*,
               sum(e.size) over (order by l.position rows unbounded preceding) as bytes,
               row_number() over (order by l.position rows unbounded preceding) as nth
          from (select g.position, g.committed_at, g.event_seq from ${schema}.log g
                 where g.stream = ? and g.partition = ? and g.position >= ?
                 order by g.position limit ?) l
         cross join lateral (select v.entity_no, v.version, v.size, v.id, v.type, v.deleted, v.headers, v.occurred_at, v.payload,
                                    t.tenant, t.type as entity_type, t.id as entity_id
                               from ${schema}.event v
                               join ${schema}.entity t on t.no = v.entity_no
                              where v.seq = l.event_seq
                             offset 0) e) s
 where s.bytes <= ? or s.nth = 1
 order by s.position
