-- Finds where an event was published: what the repeat of an append is answered, whatever it would do today.
-- Parameters: 1 tenant · 2 type · 3 id · 4 version
-- Reads: entity by its unique key, event by (entity, version) · Locks: nothing; the append holds the entity's lock by then
-- Returns the numbers of the streams, as the event has recorded them.
select v.streams
  from ${schema}.entity e
  join ${schema}.event v on v.entity_no = e.no
 where e.tenant = ? and e.type = ? and e.id = ? and v.version = ?
