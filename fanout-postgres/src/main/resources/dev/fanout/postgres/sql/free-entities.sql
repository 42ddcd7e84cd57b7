-- Lets entities flow again: nothing of them is parked any more.
-- Parameters: 1 attachment · 2 entity numbers (bigint[])
-- Writes: parked_entity by primary key · Locks: those rows
delete from ${schema}.parked_entity b where b.attachment = ? and b.entity_no = any (?::bigint[])
