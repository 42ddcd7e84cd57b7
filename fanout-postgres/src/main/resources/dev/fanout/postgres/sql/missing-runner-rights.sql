-- Tells what a process lacks that publishes, delivers and takes part in the election: one row for each right, as a GRANT would name it.
-- Parameters: none
-- Reads: catalogs · Locks: nothing · Index: none needed
select n.privilege || ' on ' || n.what as missing
  from (values
           ('select', 'outbox'), ('delete', 'outbox'),
           ('select', 'log'), ('insert', 'log'),
           ('select', 'frontier'), ('insert', 'frontier'), ('delete', 'frontier'),
           ('select', 'cursor'), ('insert', 'cursor'), ('delete', 'cursor'),
           ('select', 'gate'), ('insert', 'gate'), ('delete', 'gate'),
           ('select', 'node'), ('insert', 'node'), ('update', 'node'), ('delete', 'node'),
           ('select', 'lease'), ('insert', 'lease'), ('update', 'lease')
       ) n (privilege, what)
 where not pg_catalog.has_table_privilege('${schema}.' || n.what, n.privilege)
