-- Removes cursors of an attachment that is over. MUST follow confirm-orphan.sql in its transaction.
-- Parameters: 1 attachment · 2 how many rows at the most
-- Writes: cursor · Locks: those rows · Index: cursor_pkey
delete from ${schema}.cursor
 where ctid = any (array(select c.ctid from ${schema}.cursor c where c.attachment = ? limit ?))
