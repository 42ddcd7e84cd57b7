-- Sets the delay of an attached child to what a process declares. Nothing that was due before is undone.
-- Parameters: 1 delay in microseconds · 2 child · 3 delay in microseconds
-- Writes: attachment · Locks: that row · Index: attachment_child_key
update ${schema}.attachment a
   set delay = ?::bigint * interval '1 microsecond'
 where a.child = ? and a.delay <> ?::bigint * interval '1 microsecond'
