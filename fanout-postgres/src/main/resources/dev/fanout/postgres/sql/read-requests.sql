-- Reads what is asked for parked entities in a partition of a child, the oldest request first.
-- Parameters: 1 attachment · 2 partition · 3 how many at the most
-- Reads: parked_entity by parked_entity_wish, which holds only open requests; entity by primary key · Locks: nothing
select b.entity_no, t.tenant, t.type, t.id, b.wish, b.wish_up_to
  from ${schema}.parked_entity b
  join ${schema}.entity t on t.no = b.entity_no
 where b.attachment = ? and b.partition = ? and b.wish is not null
 order by b.asked_at, b.entity_no
 limit ?
