-- Removes the oldest records of a partition: those before a moment, and never the last one, which the partition's head is read from.
-- Parameters: 1 stream · 2 partition · 3 first position · 4 stream · 5 partition · 6 first position · 7 moment (microseconds) ·
--   8 how many at the most · 9 stream · 10 partition · 11 moment (microseconds) · 12 stream · 13 partition · 14 first position
-- The moment comes from the caller, who has compared the clock with another: MUST NOT be read here.
-- Reads: log, one probe where nothing is old enough · Writes: log · Locks: the rows that it removes, which nobody else locks
-- committed_at never falls within a partition, so what is removed is its beginning, without holes.
-- Returns how many were removed, and the position behind the last of them.
with oldest as materialized (
    select l.position from ${schema}.log l
     where l.stream = ? and l.partition = ? and l.position >= ?
       and (select f.committed_at from ${schema}.log f
             where f.stream = ? and f.partition = ? and f.position >= ?
             order by f.position limit 1) < timestamptz 'epoch' + ?::bigint * interval '1 microsecond'
     order by l.position
     limit ?
), removed as (
    delete from ${schema}.log l
     using oldest o
     where l.stream = ? and l.partition = ? and l.position = o.position
       and l.committed_at < timestamptz 'epoch' + ?::bigint * interval '1 microsecond'
       and l.position < (select h.position from ${schema}.log h
                          where h.stream = ? and h.partition = ?
                          order by h.position desc limit 1)
    returning l.position
)
select count(*), coalesce(max(position) + 1, ?) from removed
