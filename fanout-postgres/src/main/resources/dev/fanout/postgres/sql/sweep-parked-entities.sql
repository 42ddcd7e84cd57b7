-- Removes parked entities of an attachment that is over. MUST follow confirm-orphan.sql in its transaction.
-- Parameters: 1 attachment · 2 how many rows at the most
-- Writes: parked_entity · Locks: those rows · Index: parked_entity_pkey
delete from ${schema}.parked_entity
 where ctid = any (array(select b.ctid from ${schema}.parked_entity b where b.attachment = ? limit ?))
