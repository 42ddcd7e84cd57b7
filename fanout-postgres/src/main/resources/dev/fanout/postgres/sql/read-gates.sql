-- Reads gates: the highest version applied, for each entity that has one.
-- Parameters: 1 entity numbers (bigint[]) · 2 attachment
-- Reads: gate, one backward probe of the primary key per entity · Locks: nothing
select n.entity_no, h.version
  from unnest(?::bigint[]) n (entity_no)
 cross join lateral (select g.version from ${schema}.gate g
                      where g.attachment = ? and g.entity_no = n.entity_no
                      order by g.version desc limit 1) h
