-- How many deliveries came sooner after their change was written than the child waits. Both times are by the clock of
-- the database, and a change is written before its commit: nothing could be early and not be seen.
-- Parameters: child, milliseconds.
SELECT count(*)
FROM trail
    JOIN edit USING (id, version)
WHERE child = ?
  AND delivered - written < ? * interval '1 millisecond'
