-- Removes parked events of entities, each up to a version: they were delivered, or given up.
-- Parameters: 1 entity numbers (bigint[]) · 2 last versions (bigint[]) · 3 attachment
-- Reads: parked_event by a range of the primary key per entity · Writes: parked_event (delete, by place: see publish.sql) · Locks: those
--   rows, which only the owner of the partition touches
delete from ${schema}.parked_event p
 where p.ctid = any (array(
       select o.ctid
         from unnest(?::bigint[], ?::bigint[]) n (entity_no, version)
        cross join lateral (select e.ctid from ${schema}.parked_event e
                             where e.attachment = ? and e.entity_no = n.entity_no and e.version <= n.version
                            offset 0) o))
