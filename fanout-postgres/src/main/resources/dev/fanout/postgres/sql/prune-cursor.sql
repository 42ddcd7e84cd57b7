-- Removes the row of a cursor's ledger that a step has just left behind: the one, by its key. A range would read again, each time,
-- all rows that are dead but held by an old snapshot.
-- Parameters: 1 attachment · 2 partition · 3 step left behind
-- Writes: cursor by primary key · Locks: that row
delete from ${schema}.cursor c where c.attachment = ? and c.partition = ? and c.step = ?
