-- Reads where entities stand with a child: the highest version applied, and whether they are parked. A row for each that the child has met.
-- Parameters: 1 entity numbers (bigint[]) · 2 attachment · 3 attachment
-- Reads: gate, one backward probe of the primary key per entity; parked_entity, one probe of its · Locks: nothing
-- One statement, so that one snapshot shows both. An entity whose first event failed is parked and has no gate.
select n.entity_no, coalesce(h.version, 0), p.entity_no is not null
  from unnest(?::bigint[]) n (entity_no)
  left join lateral (select g.version from ${schema}.gate g
                      where g.attachment = ? and g.entity_no = n.entity_no
                      order by g.version desc limit 1) h on true
  left join lateral (select b.entity_no from ${schema}.parked_entity b
                      where b.attachment = ? and b.entity_no = n.entity_no limit 1) p on true
 where h.version is not null or p.entity_no is not null
