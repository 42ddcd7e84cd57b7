-- Fails with FO003 where the log of a partition ends before what the relay remembers: the database has lost commits that memory
-- outlived.
-- Parameters: 1 streams (int[]) · 2 partitions (int[]) · 3 positions behind the last that the relay remembers (bigint[])
-- Reads: log, one backward probe of the primary key per remembered partition · Locks: nothing
-- All partitions, and not only those of the batch: what a crash has taken from one is found out before another goes on. MUST come
-- before publish.sql, whose rows would hide a tail that was lost.
select ${schema}.demand(false, 'FO003',
           pg_catalog.format('the log of stream %s, partition %s ends before %s, but was published up to %s',
                             r.stream, r.partition, coalesce(h.position + 1, 0), r.tail))
  from unnest(?::integer[], ?::integer[], ?::bigint[]) r (stream, partition, tail)
  left join lateral (select l.position from ${schema}.log l
                      where l.stream = r.stream and l.partition = r.partition
                      order by l.position desc limit 1) h on true
 where coalesce(h.position + 1, 0) < r.tail
