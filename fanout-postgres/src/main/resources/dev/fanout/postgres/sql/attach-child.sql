-- Attaches a child that is not attached yet, and gives each partition the cursor that it begins with: 0, or the tail as this statement
-- sees it. MUST be one statement: between two, another node could take the child and begin at 0. Where another process was first, it does nothing.
-- Parameters: child, stream's name, epoch, kind, declared (JSON), from the beginning?
-- Reads: stream, log · Writes: attachment, cursor · Locks: waits for an uncommitted attachment of the same child
-- Index: stream_name_key; log_pkey backwards, one probe per partition
with attached as (
    insert into ${schema}.attachment (child, stream, epoch, kind, declared)
    select d.child, s.no, d.epoch, d.kind, d.declared
      from (values (?, ?, ?, ?, ?::jsonb)) d (child, stream, epoch, kind, declared)
      join ${schema}.stream s on s.name = d.stream
    on conflict (child) do nothing
    returning no, stream
)
insert into ${schema}.cursor (attachment, partition, position, anchor, applied, gated, skipped, lost)
select a.no, p.partition, t.position, t.position, 0, 0, 0, 0
  from attached a
  join ${schema}.stream s on s.no = a.stream
 cross join lateral pg_catalog.generate_series(0, s.partitions - 1) p (partition)
 cross join lateral (
    select case when ? then 0 else coalesce((
               select l.position + 1 from ${schema}.log l
                where l.stream = s.no and l.partition = p.partition
                order by l.position desc limit 1), 0) end as position
 ) t
