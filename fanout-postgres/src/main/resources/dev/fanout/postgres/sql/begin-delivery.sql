-- Opens the transaction of a transactional delivery: as begin-engine.sql, but what the application runs in it is planned as ever.
-- Parameters: 1 idle timeout, with its unit (Database.idleTimeout)
-- Reads: nothing · Locks: nothing
set transaction isolation level read committed, read write;
select pg_catalog.set_config('synchronous_commit', 'off', true),
       pg_catalog.set_config('idle_in_transaction_session_timeout', ?, true)
