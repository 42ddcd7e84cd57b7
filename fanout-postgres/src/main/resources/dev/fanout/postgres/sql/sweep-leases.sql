-- Removes free leases of children that are not attached, or of partitions that their stream does not have. Only on the primary.
-- Their tokens begin anew if the child is attached again; an owner of before is then stopped by its epoch.
-- Parameters: 1 how many rows at the most
-- Reads: attachment, stream · Writes: lease (small) · Locks: those rows; what is locked just now is left to the next sweep
delete from ${schema}.lease
 where resource in (
    select l.resource
      from ${schema}.lease l
     where l.node is null
       and l.resource like 'child/%'
       and not pg_catalog.pg_is_in_recovery()
       and not exists (select from ${schema}.attachment a
                         join ${schema}.stream s on s.no = a.stream
                        where a.child = pg_catalog.split_part(l.resource, '/', 2) and a.detached_at is null
                          and pg_catalog.split_part(l.resource, '/', 3)::integer < s.partitions)
     limit ?
       for update of l skip locked)
