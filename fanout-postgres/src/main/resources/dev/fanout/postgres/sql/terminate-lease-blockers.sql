-- Ends the sessions whose open transaction locks a lease row in the way of a taker: a dead owner stalled between its fence and its
-- commit. Ending one that lives rolls back one step of it, which it repeats.
-- Parameters: 1 resource
-- Reads: lease by primary key, pg_locks, pg_stat_activity · Locks: nothing
-- The locker of a row is its xmax, if there is one. If there are several, xmax is a multixact, which can't be told from an id; hence
-- the second arm: whoever has locked rows of lease and then has been idle in its transaction for longer than any commit takes.
-- Returns how many sessions were told to end.
select count(*) filter (where pg_catalog.pg_terminate_backend(b.pid))
  from (select t.pid
          from ${schema}.lease l
          join pg_catalog.pg_locks t
            on t.locktype = 'transactionid' and t.transactionid = l.xmax and t.mode = 'ExclusiveLock' and t.granted
         where l.resource = ?
         union
        select r.pid
          from pg_catalog.pg_locks r
          join pg_catalog.pg_stat_activity a on a.pid = r.pid
         where r.locktype = 'relation' and r.relation = '${schema}.lease'::regclass and r.mode = 'RowShareLock' and r.granted
           and a.state in ('idle in transaction', 'idle in transaction (aborted)')
           and a.state_change < pg_catalog.clock_timestamp() - interval '1 second') b
 where b.pid <> pg_catalog.pg_backend_pid()
