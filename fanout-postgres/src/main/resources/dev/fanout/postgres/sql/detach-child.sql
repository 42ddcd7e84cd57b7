-- Detaches a child, until it is attached again.
-- Parameters: 1 child
-- Writes: attachment · Locks: that row · Index: attachment_child_key
-- Returns a row if it was attached.
update ${schema}.attachment a
   set detached_at = pg_catalog.clock_timestamp(), paused = false
 where a.child = ? and a.detached_at is null
returning a.no
