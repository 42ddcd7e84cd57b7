-- Reads all attached children, whoever declared them.
-- Parameters: none
-- Reads: attachment (all of its few rows) · Locks: nothing · Index: none needed
select a.no, a.child, a.stream, s.name as stream_name, a.epoch, a.kind
  from ${schema}.attachment a
  join ${schema}.stream s on s.no = a.stream
 order by a.no
