-- Finds sequences of the store that hand out blocks or step over numbers: a cached block gives an older id to a later
-- lock holder, so that id order would no longer be version order.
-- Parameters: none
-- Reads: catalogs · Locks: nothing · Index: none needed
select c.relname as name, s.seqcache as cache, s.seqincrement as increment
  from pg_catalog.pg_sequence s
  join pg_catalog.pg_class c on c.oid = s.seqrelid
 where c.relnamespace = '${schema}'::regnamespace
   and (s.seqcache <> 1 or s.seqincrement <> 1 or s.seqcycle)
 order by c.relname
