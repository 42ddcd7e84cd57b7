-- Counts the rows that wait in a lane. Reads them all: for people and tests.
-- Parameters: 1 lane
-- Reads: outbox by primary key · Locks: nothing
select count(*) from ${schema}.outbox o where o.lane = ?
