-- Confirms, under the lock of the attachment's row where there is one, that an attachment is over or gone, and holds it so to the end
-- of the transaction. A number is never given again, so one that is gone stays gone; a row that is locked just now confirms nothing.
-- Parameters: 1 attachment · 2 attachment
-- Reads: attachment by primary key · Locks: that row, or nothing
-- Returns whether its rows may be removed. Not in a standby, which may be behind.
with held as materialized (
    select a.detached_at from ${schema}.attachment a where a.no = ? for update skip locked
)
select not pg_catalog.pg_is_in_recovery()
       and case when exists (select from held)
               then exists (select from held where held.detached_at is not null)
               else not exists (select from ${schema}.attachment a where a.no = ?) end
