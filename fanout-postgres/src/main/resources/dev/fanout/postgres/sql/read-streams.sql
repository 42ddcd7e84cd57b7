-- Reads all streams, whoever declared them.
-- Parameters: none
-- Reads: stream (all of its few rows) · Locks: nothing · Index: none needed
select no, name, entity_types, partitions, partitioner, lane,
       (extract(epoch from retention) * 1000000)::bigint as retention
  from ${schema}.stream
 order by no
