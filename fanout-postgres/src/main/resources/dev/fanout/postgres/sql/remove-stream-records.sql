-- Removes records of a stream that is being deleted.
-- Parameters: 1 stream · 2 how many at the most
-- Writes: log · Locks: those rows · Index: log_pkey
delete from ${schema}.log
 where ctid = any (array(select l.ctid from ${schema}.log l where l.stream = ? limit ?))
