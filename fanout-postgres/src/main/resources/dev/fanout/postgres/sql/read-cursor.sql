-- Reads where a child stands in a partition: the ledger's head.
-- Parameters: 1 attachment · 2 partition
-- Reads: cursor, one backward probe of the primary key · Locks: nothing
select c.step, c.position, c.applied, c.gated, c.skipped, c.filtered, c.parked, c.discarded, c.lost
  from ${schema}.cursor c
 where c.attachment = ? and c.partition = ?
 order by c.step desc limit 1
