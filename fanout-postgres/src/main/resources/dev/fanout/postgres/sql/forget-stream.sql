-- Removes a stream without records, and its detached children. MUST follow lock-stream.sql in its transaction.
-- Parameters: 1 stream · 2 stream
-- Writes: attachment (all of its few rows are looked at), stream by primary key · Locks: those rows
with children as (
    delete from ${schema}.attachment a where ? in (a.stream, a.target) and a.detached_at is not null returning a.no
)
delete from ${schema}.stream s where s.no = ? and (select count(*) from children) >= 0
