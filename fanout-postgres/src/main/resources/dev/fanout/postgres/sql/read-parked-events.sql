-- Reads parked events of an entity in version order, in one snapshot.
-- Parameters: 1 attachment · 2 entity · 3 how many at the most · 4 bytes of payload at the most
-- Returns the columns of read-log.sql. The first event comes in any case; the first that would go over the bytes ends the page.
-- Reads: parked_event by a range of the primary key; event and entity by primary key, once per event · Locks: nothing
select s.position, (date_part('epoch', s.committed_at) * 1000000)::bigint,
       s.entity_no, s.version, s.size, s.id, s.type, s.deleted, s.headers::text,
       (date_part('epoch', s.occurred_at) * 1000000)::bigint,
       s.tenant, s.entity_type, s.entity_id, s.payload::text
  from (select l.position, l.committed_at, l.parked_version, e.*,
               sum(e.size) over (order by l.parked_version rows unbounded preceding) as bytes,
               row_number() over (order by l.parked_version rows unbounded preceding) as nth
          from (select p.position, p.committed_at, p.event_seq, p.version as parked_version from ${schema}.parked_event p
                 where p.attachment = ? and p.entity_no = ?
                 order by p.version limit ?) l
         cross join lateral (select v.entity_no, v.version, v.size, v.id, v.type, v.deleted, v.headers, v.occurred_at, v.payload,
                                    t.tenant, t.type as entity_type, t.id as entity_id
                               from ${schema}.event v
                               join ${schema}.entity t on t.no = v.entity_no
                              where v.seq = l.event_seq
                             offset 0) e) s
 where s.bytes <= ? or s.nth = 1
 order by s.version
