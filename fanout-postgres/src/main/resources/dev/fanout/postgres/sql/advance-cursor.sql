-- Adds a row to a cursor's ledger, if the ledger's head is where the step begins, and the log holds the step's last record as it was
-- delivered. A child without a row stands at 0.
-- Parameters: 1 attachment · 2 partition · 3 to · 4 applied · 5 gated · 6 skipped · 7 lost · 8 attachment · 9 partition · 10 from
--   · 11 whether the last record is not known (it was lost before) · 12 stream · 13 partition · 14 position of the last record
--   · 15 when it was published (microseconds) · 16 its event id
-- Returns a row if it was added. None: the database does not hold what the caller remembers.
-- Reads: cursor, one backward probe of the primary key; log and event, one probe of the primary key each · Writes: cursor (insert) · Locks: the new row
-- Why the last record is enough, and the time needed: a crash loses a suffix of commits. If that very row of the log survived, so did
-- all that was published before it. The event alone could stand there again with others before it: 9, 8 published one by one, lost,
-- and 7, 8, 9 published together put 8 in the same place, and 7 would be skipped.
-- The head is compared, not updated: an updated row rots under a held snapshot (10,900 fell to 960 advances a second).
insert into ${schema}.cursor (attachment, partition, position, anchor, applied, gated, skipped, lost)
select ?, ?, ?, coalesce(h.anchor, 0), ?, ?, ?, ?
  from (select) one
  left join lateral (select c.position, c.anchor from ${schema}.cursor c
                      where c.attachment = ? and c.partition = ?
                      order by c.position desc limit 1) h on true
 where coalesce(h.position, 0) = ?
   and (?::boolean or exists (
           select from ${schema}.log l
            where l.stream = ? and l.partition = ? and l.position = ?
              and (date_part('epoch', l.committed_at) * 1000000)::bigint = ?
              and (select v.id from ${schema}.event v where v.seq = l.event_seq) = ?))
on conflict (attachment, partition, position) do nothing
returning position
