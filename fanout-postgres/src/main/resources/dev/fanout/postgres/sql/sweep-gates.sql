-- Removes gates of an attachment that is over. MUST follow confirm-orphan.sql in its transaction.
-- Parameters: 1 attachment · 2 how many rows at the most
-- Writes: gate · Locks: those rows · Index: gate_pkey
delete from ${schema}.gate
 where ctid = any (array(select g.ctid from ${schema}.gate g where g.attachment = ? limit ?))
