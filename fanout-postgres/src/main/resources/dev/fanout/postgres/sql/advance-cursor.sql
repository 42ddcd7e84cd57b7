-- Adds a row to a cursor's ledger, if the ledger's head is what the step begins at, and the log holds the step's last record as it was
-- delivered. A child without a row stands at step 0, position 0.
-- Parameters: 1 attachment · 2 partition · 3 step · 4 position · 5 applied · 6 gated · 7 skipped · 8 filtered · 9 parked · 10 discarded
--   · 11 lost · 12 attachment · 13 partition · 14 step it begins at · 15 position it begins at
--   · 16 whether the last record is not known (it was lost before) · 17 stream · 18 partition · 19 position of the last record
--   · 20 when it was published (microseconds) · 21 its event id · 22 stream · 23 partition · 24, 25 position of the last record
-- Returns a row if it was added. None: the database does not hold what the caller remembers.
-- Reads: cursor, one backward probe of the primary key; log and event, one probe of the primary key each · Writes: cursor (insert)
-- Locks: the new row
-- Step AND position are compared: after a lost commit another process may have written as many steps to other positions.
-- Why the last record is enough, and the time needed: a crash loses a suffix of commits. If that very row of the log survived, so did
-- all that was published before it. The event alone could stand there again with others before it: 9, 8 published one by one, lost,
-- and 7, 8, 9 published together put 8 in the same place, and 7 would be skipped. A row that is gone although later ones are there was
-- removed by age after it had been read: no loss.
-- The head is compared, not updated: an updated row rots under a held snapshot (10,900 fell to 960 advances a second).
insert into ${schema}.cursor
       (attachment, partition, step, position, anchor, applied, gated, skipped, filtered, parked, discarded, lost)
select ?, ?, ?, ?, coalesce(h.anchor, 0), ?, ?, ?, ?, ?, ?, ?
  from (select) one
  left join lateral (select c.step, c.position, c.anchor from ${schema}.cursor c
                      where c.attachment = ? and c.partition = ?
                      order by c.step desc limit 1) h on true
 where coalesce(h.step, 0) = ? and coalesce(h.position, 0) = ?
   and (?::boolean
        or exists (
           select from ${schema}.log l
            where l.stream = ? and l.partition = ? and l.position = ?
              and (date_part('epoch', l.committed_at) * 1000000)::bigint = ?
              and (select v.id from ${schema}.event v where v.seq = l.event_seq) = ?)
        or (select min(l.position) from ${schema}.log l
             where l.stream = ? and l.partition = ? and l.position >= ?) > ?)
on conflict (attachment, partition, step) do nothing
returning step
