-- Creates the schema, one process at a time: CREATE SCHEMA IF NOT EXISTS alone raises 23505 where two race.
-- The lock ends with the transaction; 7236844 is "fanout" to people who look at pg_locks.
-- Parameters: none
-- Reads and writes: pg_namespace · Locks: an advisory lock of the transaction
select pg_catalog.pg_advisory_xact_lock(7236844, pg_catalog.hashtext('${schema}'));
create schema if not exists ${schema}
