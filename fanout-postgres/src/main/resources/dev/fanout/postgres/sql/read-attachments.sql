-- Reads all children, whoever declared them, detached ones too.
-- Parameters: none
-- Reads: attachment (all of its few rows) · Locks: nothing · Index: none needed
select a.no, a.child, a.stream, s.name as stream_name, a.target, t.name as target_name, a.epoch, a.kind, a.paused,
       (extract(epoch from a.delay) * 1000000)::bigint as delay, a.detached_at is not null as detached,
       a.needs_rebuild, a.declared ->> 'filter' as filter
  from ${schema}.attachment a
  join ${schema}.stream s on s.no = a.stream
  left join ${schema}.stream t on t.no = a.target
 order by a.no
