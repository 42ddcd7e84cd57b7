-- Ends every ownership of a child: its leases become free, under higher tokens, those too that were never taken. MUST be in the
-- transaction that attaches or detaches the child, after it has locked the attachment: whoever still owns a partition commits nothing
-- from then on, because its fence waits for this commit and then finds another token.
-- Parameters: 1 child
-- Reads: attachment, stream · Writes: lease by primary key · Locks: those rows by ascending resource, bytewise (as advance-many.sql does); waits for fences
insert into ${schema}.lease (resource, node, token)
select 'child/' || a.child || '/' || p.partition, null, 1
  from ${schema}.attachment a
  join ${schema}.stream s on s.no = a.stream
 cross join lateral pg_catalog.generate_series(0, s.partitions - 1) p (partition)
 where a.child = ?
 order by ('child/' || a.child || '/' || p.partition) collate "C"
on conflict (resource) do update set node = null, token = lease.token + 1
