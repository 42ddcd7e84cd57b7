-- Looks whether a lane has rows to publish: the cheap look of a relay that waits. Writes nothing, locks nothing, draws no id.
-- Parameters: 1 lane · 2 mark · 3 low[] · 4 high[] of the missing ranges
-- Returns whether there is a row, running and next as in publish.sql.
-- Reads: outbox by primary key, one probe above the mark and one per range
select p.waiting, p.running, p.next from ${schema}.probe_outbox(?, ?, ?, ?) p
