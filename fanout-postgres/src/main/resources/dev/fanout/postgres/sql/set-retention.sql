-- Sets how long a stream keeps its records to what a process declares.
-- Parameters: 1 retention in microseconds · 2 stream's name · 3 retention in microseconds
-- Writes: stream · Locks: that row · Index: stream_name_key
update ${schema}.stream s
   set retention = ?::bigint * interval '1 microsecond'
 where s.name = ? and s.retention <> ?::bigint * interval '1 microsecond'
