-- Attaches a child that is not attached yet, and gives each partition the cursor that it begins with: the oldest kept record, or the tail
-- as this statement sees it. MUST be one statement: between two, another node could take the child and begin at 0. Where another process
-- was first, it does nothing.
-- Parameters: child, stream's name, target stream's name or null, epoch, kind, delay in microseconds, from the beginning?, filter or null, from the beginning?
-- Reads: stream, log · Writes: attachment, cursor · Locks: waits for an uncommitted attachment of the same child
-- Index: stream_name_key; log_pkey, one probe per partition
with attached as (
    insert into ${schema}.attachment (child, stream, target, epoch, kind, delay, declared)
    select d.child, s.no, t.no, d.epoch, d.kind, d.delay * interval '1 microsecond',
           pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object('fromBeginning', d.from_beginning, 'filter', d.filter))
      from (values (?, ?, ?::text, ?, ?, ?::bigint, ?::boolean, ?::text))
           d (child, stream, target, epoch, kind, delay, from_beginning, filter)
      join ${schema}.stream s on s.name = d.stream
      left join ${schema}.stream t on t.name = d.target
    on conflict do nothing
    returning no, stream
)
insert into ${schema}.cursor
       (attachment, partition, step, position, anchor, applied, gated, skipped, filtered, parked, discarded, lost)
select a.no, p.partition, 0, t.position, t.position, 0, 0, 0, 0, 0, 0, 0
  from attached a
  join ${schema}.stream s on s.no = a.stream
 cross join lateral pg_catalog.generate_series(0, s.partitions - 1) p (partition)
 cross join lateral (
    select coalesce(case when ?
               then (select l.position from ${schema}.log l
                      where l.stream = s.no and l.partition = p.partition
                      order by l.position limit 1)
               else (select l.position + 1 from ${schema}.log l
                      where l.stream = s.no and l.partition = p.partition
                      order by l.position desc limit 1)
           end, 0) as position
 ) t
