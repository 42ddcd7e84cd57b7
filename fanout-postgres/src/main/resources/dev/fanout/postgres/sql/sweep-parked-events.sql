-- Removes parked events of an attachment that is over. MUST follow confirm-orphan.sql in its transaction.
-- Parameters: 1 attachment · 2 how many rows at the most
-- Writes: parked_event · Locks: those rows · Index: parked_event_pkey
delete from ${schema}.parked_event
 where ctid = any (array(select p.ctid from ${schema}.parked_event p where p.attachment = ? limit ?))
