-- Tells what an appender lacks: one row for each right that is missing, as a GRANT would name it.
-- Parameters: none
-- Reads: catalogs · Locks: nothing · Index: none needed
select n.privilege || ' on ' || n.what as missing
  from (values
           ('select', 'stream'), ('select', 'attachment'),
           ('select', 'entity'), ('insert', 'entity'), ('update', 'entity'),
           ('select', 'event'), ('insert', 'event'),
           ('insert', 'outbox')
       ) n (privilege, what)
 where not pg_catalog.has_table_privilege('${schema}.' || n.what, n.privilege)
