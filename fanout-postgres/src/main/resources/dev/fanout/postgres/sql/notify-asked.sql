-- Tells all nodes that something is asked for parked events.
-- Parameters: 1 channel
-- Reads: nothing · Locks: nothing before the commit
select pg_catalog.pg_notify(?, '')
