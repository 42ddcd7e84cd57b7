-- Lets a child stand still, or go on.
-- Parameters: 1 whether it stands still · 2 child · 3 whether it stands still
-- Writes: attachment · Locks: that row · Index: attachment_child_key
-- Returns a row if that changed anything.
update ${schema}.attachment a
   set paused = ?
 where a.child = ? and a.paused <> ? and a.detached_at is null
returning a.no
