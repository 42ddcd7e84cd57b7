-- The fence: locks the lease row if it is still the caller's, to the end of the transaction, and fails with FO002 if it is not: another
-- owns the resource, and the transaction is rolled back. Whoever takes the lease waits for it.
-- MUST be the last statement of its step, which commits without anybody reading an answer before. Locked and not updated: an update
-- per commit would be a row version per commit.
-- Parameters: 1 resource, 2 node, 3 token
-- Reads: lease by primary key · Locks: that row FOR SHARE
select ${schema}.demand((select true from ${schema}.lease l where l.resource = ? and l.node = ? and l.token = ? for share),
                        'FO002', 'another owns the lease')
