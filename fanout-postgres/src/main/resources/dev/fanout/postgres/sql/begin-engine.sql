-- Opens a transaction of the engine: sent in front of its first statement, in the same round trip (the driver's BEGIN goes with it).
-- The pool may default to another isolation, where one statement would not see what its predecessors' lock let through, or to read-only.
-- Asynchronous commit: WAL order keeps the database consistent, and memory that outlives a lost commit is found out (ForgottenException).
-- The idle timeout MUST stay below the lease: a stalled owner can't hold the lease row's lock longer than its lease. It is half of it,
-- so that whoever finds the lease over finds the lock gone too, and a handler's slow moment in a delivery is not an end.
-- Plans are by index and made once: these tables breathe, so that statistics are always of another time, and a fresh database has none
-- (a plan that scans a table seen empty is a plan that scans a million rows). One SELECT instead of five SETs: half the time.
-- Parameters: 1 idle timeout, with its unit (Database.idleTimeout)
-- Reads: nothing · Locks: nothing
set transaction isolation level read committed, read write;
select pg_catalog.set_config('synchronous_commit', 'off', true),
       pg_catalog.set_config('idle_in_transaction_session_timeout', ?, true),
       pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true),
       pg_catalog.set_config('enable_seqscan', 'off', true),
       pg_catalog.set_config('enable_bitmapscan', 'off', true),
       pg_catalog.set_config('jit', 'off', true)
