-- Draws a transaction id: every transaction that had one before has a lower one.
-- Parameters: none
-- Reads: nothing · Locks: nothing
-- Not pg_snapshot_xmax(): that is the highest id that has ended, plus one. With writers 724 and 725 open and nothing ended since,
--   it is 724, and would let the relay fall asleep while both still run.
select pg_catalog.pg_current_xact_id()::text::bigint
