-- The fence: locks the lease row if it is still the caller's, to the end of the transaction. Whoever takes the lease waits for it.
-- MUST be the last statement before COMMIT, and its answer MUST be read: no row means that another owns the resource, and that the
-- transaction rolls back. Locked and not updated: an update per commit would be a row version per commit.
-- Parameters: 1 resource, 2 node, 3 token
-- Reads: lease by primary key · Locks: that row FOR SHARE
select l.token from ${schema}.lease l where l.resource = ? and l.node = ? and l.token = ? for share
