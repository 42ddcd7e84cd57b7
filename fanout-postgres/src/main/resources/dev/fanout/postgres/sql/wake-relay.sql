-- Wakes the relay of a lane for what a transaction of the engine put into the outbox: the wake of append (see the function), where no
-- append is called.
-- Parameters: 1 wake key bigint (null: no wake) · 2 wake channel text · 3 wake always boolean
-- Reads: nothing · Locks: the advisory lock shared, for the time of one expression
-- MUST follow every outbox row of the transaction, and be a statement of its own: the refused try proves "awake" only to a transaction
--   that already has its id.
select case
           when w.key is null then false
           when w.always then pg_catalog.pg_notify(w.channel, '') is not null
           when pg_catalog.pg_try_advisory_lock_shared(w.key) then
               case when pg_catalog.pg_advisory_unlock_shared(w.key) then pg_catalog.pg_notify(w.channel, '') is not null end
           else false
       end as woken
  from (select ?::bigint as key, ?::text as channel, ?::boolean as always offset 0) w
