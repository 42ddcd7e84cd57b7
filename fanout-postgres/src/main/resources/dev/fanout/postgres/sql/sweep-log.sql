-- Removes records of streams that are no more: what was published for a process that still appends to a deleted one. Only on the primary.
-- Parameters: 1 how many rows at the most
-- Reads: log, from one stream to the next, one probe of the primary key each; stream · Writes: log · Locks: those rows
with recursive streams (no) as (
    (select l.stream from ${schema}.log l order by l.stream limit 1)
    union all
    select (select l.stream from ${schema}.log l where l.stream > k.no order by l.stream limit 1)
      from streams k where k.no is not null
), gone as (
    select k.no from streams k
     where k.no is not null
       and not pg_catalog.pg_is_in_recovery()
       and not exists (select from ${schema}.stream s where s.no = k.no)
     limit 1
)
delete from ${schema}.log
 where ctid = any (array(select l.ctid from gone join ${schema}.log l on l.stream = gone.no limit ?))
