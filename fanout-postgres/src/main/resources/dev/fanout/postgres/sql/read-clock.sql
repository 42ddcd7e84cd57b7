-- Reads the database's clock, in microseconds.
-- Parameters: none
-- Reads: nothing · Locks: nothing
select (extract(epoch from pg_catalog.clock_timestamp()) * 1000000)::bigint
