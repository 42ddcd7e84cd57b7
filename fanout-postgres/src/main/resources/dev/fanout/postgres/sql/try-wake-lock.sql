-- Tries for a lane's wake lock: while a session holds it, appends skip their notification.
-- Parameters: 1 the lock's key (WakeNames)
-- Reads: nothing · Locks: the advisory lock, for the session. MUST only be tried: a queued exclusive request makes all shared tries
--   fail, so that appends took the relay for awake while it waits.
-- Returns 1 if it was taken, else 0.
select pg_catalog.pg_try_advisory_lock(?)::int
