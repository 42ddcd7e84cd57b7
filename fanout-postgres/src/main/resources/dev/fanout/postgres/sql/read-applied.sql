-- Reads what a child has applied of one entity.
-- Parameters: 1 attachment · 2 tenant · 3 type · 4 id
-- Reads: entity by its unique key, gate by one backward probe of the primary key · Locks: nothing
select h.version
  from ${schema}.entity t
 cross join lateral (select g.version from ${schema}.gate g
                      where g.attachment = ? and g.entity_no = t.no
                      order by g.version desc limit 1) h
 where t.tenant = ? and t.type = ? and t.id = ?
