-- Lets go of a lane's wake lock: from here on appends notify.
-- Parameters: 1 the lock's key (WakeNames)
-- Reads: nothing · Locks: releases the advisory lock of the session
-- Returns 1 if the session held it, else 0 (and a warning).
select pg_catalog.pg_advisory_unlock(?)::int
