-- Reads where one entity stands with a child: the highest version applied, and whether it is parked.
-- Parameters: 1 attachment · 2 attachment · 3 tenant · 4 type · 5 id
-- Reads: entity by its unique key, gate by one backward probe of the primary key, parked_entity by one of its · Locks: nothing
-- Returns a row if there is such an entity.
select coalesce(h.version, 0), p.entity_no is not null
  from ${schema}.entity t
  left join lateral (select g.version from ${schema}.gate g
                      where g.attachment = ? and g.entity_no = t.no
                      order by g.version desc limit 1) h on true
  left join lateral (select b.entity_no from ${schema}.parked_entity b
                      where b.attachment = ? and b.entity_no = t.no limit 1) p on true
 where t.tenant = ? and t.type = ? and t.id = ?
