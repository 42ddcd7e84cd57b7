-- Removes the rows of the gates' ledger that newer ones have just passed: those, by their keys.
-- Parameters: 1 entity numbers (bigint[]) · 2 versions (bigint[]) · 3 attachment
-- Reads: gate by primary key, one probe per entity · Writes: gate (delete, by place: see publish.sql) · Locks: those rows
delete from ${schema}.gate g
 where g.ctid = any (array(
       select p.ctid
         from unnest(?::bigint[], ?::bigint[]) n (entity_no, version)
        cross join lateral (select o.ctid from ${schema}.gate o
                             where o.attachment = ? and o.entity_no = n.entity_no and o.version = n.version limit 1) p))
