-- Removes the row of a child that was detached, so that it can be attached under a new number. Its cursors, gates and parked events
-- are then nobody's, and the sweep removes them.
-- Parameters: 1 child
-- Writes: attachment · Locks: that row · Index: attachment_child_key
delete from ${schema}.attachment a where a.child = ? and a.detached_at is not null
