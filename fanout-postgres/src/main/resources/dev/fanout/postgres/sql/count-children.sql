-- Counts the attached children of a stream. MUST follow lock-stream.sql, and be a statement of its own: its snapshot then shows all
-- that were attached before.
-- Parameters: 1 stream
-- Reads: attachment (all of its few rows) · Locks: nothing · Index: none needed
select count(*) from ${schema}.attachment a where a.stream = ? and a.detached_at is null
