-- Reads the lowest transaction id that has not been given out yet: every transaction that has one has a lower one.
-- Parameters: none
-- Reads: nothing · Locks: nothing · Gives no id out.
-- Not pg_snapshot_xmax(): that is the highest id that has ended, plus one. With writers 724 and 725 open and nothing ended since,
--   it is 724, and would let the relay fall asleep while both still run. age() counts from the next id to be given out, in 32 bits;
--   xmax, which is at most that, supplies the upper ones.
select s.xmax + ((pg_catalog.age('3'::xid)::bigint + 3 - s.xmax) & 4294967295)
  from (select pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::text::bigint as xmax offset 0) s
