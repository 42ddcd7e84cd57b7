-- Ends the session that holds a lane's wake lock in the way of the relay that leads the lane: a dead node's backend, or our own
-- from before the connection was lost, of which the server has not heard that it is gone. While it stays, appends skip their
-- notification. Ending one that lives does no harm: its listener connects again.
-- Parameters: 1 the lock's key (WakeNames)
-- Reads: pg_locks (this database, exclusive holders only: appends hold it shared, for the time of one expression) · Locks: nothing
-- Returns how many sessions were told to end.
select count(*) filter (where pg_catalog.pg_terminate_backend(h.pid))
  from (select l.pid
          from (select ?::bigint as key) k
          join pg_catalog.pg_locks l
            on l.locktype = 'advisory' and l.objsubid = 1 and l.mode = 'ExclusiveLock' and l.granted
           and l.classid::bigint = (k.key >> 32) & 4294967295 and l.objid::bigint = k.key & 4294967295
           and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = pg_catalog.current_database())
           and l.pid <> pg_catalog.pg_backend_pid()) h
