-- Looks whether a lane has rows to publish: the cheap look of a relay that waits. Writes nothing, locks nothing, draws no id.
-- Parameters: 1 lane · 2 mark · 3 low[] · 4 high[] of the missing ranges · 5 lane
-- Returns whether there is a row, running and next as in publish.sql.
-- Reads: outbox by primary key, one probe above the mark and one per range
select exists (select from ${schema}.outbox o where o.lane = ? and o.id > ?)
       or exists (select from unnest(?::bigint[], ?::bigint[]) r (low, high)
                   where exists (select from ${schema}.outbox o where o.lane = ? and o.id between r.low and r.high)),
       s.running,
       s.xmax + ((pg_catalog.age('3'::xid)::bigint + 3 - s.xmax) & 4294967295)
  from (select pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text::bigint as running,
               pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::text::bigint as xmax offset 0) s
