-- Adds a row to a cursor's ledger, if the ledger's head is where the step begins. A child without a row stands at 0.
-- Parameters: 1 attachment · 2 partition · 3 to · 4 applied · 5 gated · 6 skipped · 7 lost · 8 attachment · 9 partition · 10 from
-- Returns a row if it was added. None: the database does not hold what the caller remembers.
-- Reads: cursor, one backward probe of the primary key · Writes: cursor (insert) · Locks: the new row
-- The head is compared, not updated: an updated row rots under a held snapshot (10,900 fell to 960 advances a second).
insert into ${schema}.cursor (attachment, partition, position, anchor, applied, gated, skipped, lost)
select ?, ?, ?, coalesce(h.anchor, 0), ?, ?, ?, ?
  from (select) one
  left join lateral (select c.position, c.anchor from ${schema}.cursor c
                      where c.attachment = ? and c.partition = ?
                      order by c.position desc limit 1) h on true
 where coalesce(h.position, 0) = ?
on conflict (attachment, partition, position) do nothing
returning position
