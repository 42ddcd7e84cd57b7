-- Tells whether the tables are there and may be read, without an error where not: the asking transaction is the application's.
-- Parameters: none
-- Reads: catalogs · Locks: nothing · Index: none needed
select count(*) = 2
  from pg_catalog.pg_class c
 where c.relnamespace = pg_catalog.to_regnamespace('${schema}')
   and c.relname in ('stream', 'attachment')
   and pg_catalog.has_schema_privilege(c.relnamespace, 'USAGE')
   and pg_catalog.has_table_privilege(c.oid, 'SELECT')
