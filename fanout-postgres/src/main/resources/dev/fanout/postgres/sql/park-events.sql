-- Sets events aside for a child, to be delivered when their entity flows again.
-- Parameters: 1 attachment · 2 partition · 3 entity numbers (bigint[]) · 4 versions (bigint[]) · 5 positions (bigint[]) · 6 stream
--   · 7 partition
-- Reads: event by (entity_no, version), log by primary key, one probe each per event · Writes: parked_event (insert) · Locks: the new rows
-- By entity and version, and not through the log alone: a log row may have been removed since it was read, and its event is then still
--   to be kept. One that is parked already is no error: what was parked before a lost connection may be parked again.
insert into ${schema}.parked_event (attachment, partition, entity_no, version, position, event_seq, committed_at)
select ?, ?, n.entity_no, n.version, n.position, v.seq, coalesce(l.committed_at, pg_catalog.clock_timestamp())
  from unnest(?::bigint[], ?::bigint[], ?::bigint[]) n (entity_no, version, position)
 cross join lateral (select e.seq from ${schema}.event e
                      where e.entity_no = n.entity_no and e.version = n.version limit 1) v
  left join lateral (select g.committed_at from ${schema}.log g
                      where g.stream = ? and g.partition = ? and g.position = n.position limit 1) l on true
on conflict (attachment, entity_no, version) do nothing
