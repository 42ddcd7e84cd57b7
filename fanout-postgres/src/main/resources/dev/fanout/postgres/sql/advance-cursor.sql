-- Adds a row to a cursor's ledger, if the ledger's head is what the step begins at. A child without a row stands at step 0, position 0.
-- Parameters: 1 attachment · 2 partition · 3 step · 4 position · 5 applied · 6 gated · 7 skipped · 8 filtered · 9 parked · 10 discarded
--   · 11 lost · 12 attachment · 13 partition · 14 step it begins at · 15 position it begins at
-- Returns a row if it was added. None: the database does not hold what the caller remembers.
-- Reads: cursor, one backward probe of the primary key · Writes: cursor (insert) · Locks: the new row
-- Step AND position are compared: after a lost commit another process may have written as many steps to other positions.
-- The head is compared, not updated: an updated row rots under a held snapshot (10,900 fell to 960 advances a second).
insert into ${schema}.cursor
       (attachment, partition, step, position, anchor, applied, gated, skipped, filtered, parked, discarded, lost)
select ?, ?, ?, ?, coalesce(h.anchor, 0), ?, ?, ?, ?, ?, ?, ?
  from (select) one
  left join lateral (select c.step, c.position, c.anchor from ${schema}.cursor c
                      where c.attachment = ? and c.partition = ?
                      order by c.step desc limit 1) h on true
 where coalesce(h.step, 0) = ? and coalesce(h.position, 0) = ?
on conflict (attachment, partition, step) do nothing
returning step
