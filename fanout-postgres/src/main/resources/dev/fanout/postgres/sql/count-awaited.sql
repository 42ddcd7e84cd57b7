-- Counts rows of the outbox that wait to be published to a stream, up to a thousand.
-- Parameters: 1 stream
-- Reads: outbox, all of it where none wait: for the deletion of a stream, not for loops · Locks: nothing
select count(*) from (select from ${schema}.outbox o where o.stream = ? limit 1000) waiting
