-- Marks a child whose cursor passed over records that were gone. In the transaction that counts them, so that no loss goes unmarked.
-- Parameters: 1 attachment
-- Writes: attachment by primary key, the first time only · Locks: that row, before the lease's as everybody does
update ${schema}.attachment a set needs_rebuild = true where a.no = ? and not a.needs_rebuild
