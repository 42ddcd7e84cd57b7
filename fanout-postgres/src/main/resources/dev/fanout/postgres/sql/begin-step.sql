-- Opens a step of the engine that is a single round trip: its statements and a Sync behind the last, which make one implicit
-- transaction that commits, or is rolled back by the first that fails, without being told. Otherwise as begin-engine.sql.
-- The isolation can't be set here (an implicit transaction has begun with the session's), so it is demanded: FO004 where it is not
-- read committed and read-write. The idle timeout has little to do, since nothing is asked of the client in between.
-- Parameters: 1 idle timeout, with its unit, as begin-engine.sql
-- Reads: nothing · Locks: nothing
select pg_catalog.set_config('synchronous_commit', 'off', true),
       pg_catalog.set_config('idle_in_transaction_session_timeout', ?, true),
       pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true),
       pg_catalog.set_config('enable_seqscan', 'off', true),
       pg_catalog.set_config('enable_bitmapscan', 'off', true),
       pg_catalog.set_config('jit', 'off', true),
       ${schema}.demand(pg_catalog.current_setting('transaction_isolation') = 'read committed'
                        and pg_catalog.current_setting('transaction_read_only') = 'off',
                        'FO004', 'not read committed and read-write by default')
