-- Stores a stream that is not there yet. Where another process was first, nothing happens, and its settings are then read and compared.
-- Parameters: name, partitions, partitioner, entity types, lane, retention in microseconds
-- Writes: stream · Locks: waits for an uncommitted row of the same name · Index: stream_name_key
insert into ${schema}.stream (name, partitions, partitioner, entity_types, lane, retention)
values (?, ?, ?, ?, ?, ?::bigint * interval '1 microsecond')
on conflict (name) do nothing
