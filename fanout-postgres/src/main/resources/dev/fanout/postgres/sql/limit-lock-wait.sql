-- Bounds how long the statements of this transaction wait for a lock. A stalled owner may hold a lease row's lock (its fence).
-- Parameters: none
-- Reads: nothing · Locks: nothing
set local lock_timeout = '250ms'
