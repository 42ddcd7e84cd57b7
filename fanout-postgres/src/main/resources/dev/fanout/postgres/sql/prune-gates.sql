-- Removes the rows of the gates' ledger that newer ones have just passed: those, by their keys.
-- Parameters: 1 entity numbers (bigint[]) · 2 versions (bigint[]) · 3 attachment
-- Writes: gate by primary key · Locks: those rows
delete from ${schema}.gate g
 using unnest(?::bigint[], ?::bigint[]) n (entity_no, version)
 where g.attachment = ? and g.entity_no = n.entity_no and g.version = n.version
