-- Plans the rest of the transaction by index, once, as begin-engine.sql does from its start. In front of a single statement, in the
-- same round trip: the driver sends one Sync, and so both are one transaction.
-- Parameters: none
-- Reads: nothing · Locks: nothing
select pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true),
       pg_catalog.set_config('enable_seqscan', 'off', true),
       pg_catalog.set_config('enable_bitmapscan', 'off', true),
       pg_catalog.set_config('jit', 'off', true)
