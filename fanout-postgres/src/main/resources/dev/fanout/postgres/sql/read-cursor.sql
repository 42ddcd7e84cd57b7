-- Reads where a child stands in a partition: the ledger's head.
-- Parameters: 1 attachment · 2 partition
-- Reads: cursor, one backward probe of the primary key · Locks: nothing
select c.position, c.applied, c.gated, c.skipped, c.lost
  from ${schema}.cursor c
 where c.attachment = ? and c.partition = ?
 order by c.position desc limit 1
