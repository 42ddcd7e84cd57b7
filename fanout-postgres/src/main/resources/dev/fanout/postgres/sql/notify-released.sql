-- Tells all nodes that there may be something to take or to stop.
-- Parameters: 1 channel
-- Reads: nothing · Locks: nothing before the commit
select pg_catalog.pg_notify(?, '')
