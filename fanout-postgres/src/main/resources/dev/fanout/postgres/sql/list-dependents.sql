-- Lists the attached children that a stream has, and the one that publishes to it.
-- Parameters: 1 stream · 2 stream
-- Reads: attachment (all of its few rows) · Locks: nothing · Index: none needed
select a.child, a.stream = ? and a.target is not null as is_stream
  from ${schema}.attachment a
 where ? in (a.stream, a.target) and a.detached_at is null
 order by a.child
