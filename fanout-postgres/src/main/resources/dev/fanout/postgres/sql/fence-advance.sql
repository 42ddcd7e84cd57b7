-- The fence of a cursor: as demand-lease.sql, but its answer is read, and the epoch must not be over.
-- MUST be the last statement before COMMIT, and its answer MUST be read. Whoever ends an epoch raises the tokens of the child's leases
-- in the same transaction, so that locking the lease row is enough: a detach waits for this commit, or this statement finds its token.
-- Parameters: 1 attachment · 2 epoch · 3 resource · 4 node · 5 token
-- Reads: lease and attachment by primary key · Locks: the lease row FOR SHARE
select l.token
  from ${schema}.lease l
  join ${schema}.attachment a on a.no = ? and a.epoch = ? and a.detached_at is null
 where l.resource = ? and l.node = ? and l.token = ?
   for share of l
