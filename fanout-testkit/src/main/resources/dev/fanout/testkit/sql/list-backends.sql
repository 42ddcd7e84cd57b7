-- Who is connected to a database, the asking connection left out.
-- Parameters: 1 the database's name.
-- Reads pg_stat_activity; client backends only, since autovacuum comes and goes as it likes.
SELECT pid, coalesce(application_name, ''), coalesce(state, ''), coalesce(query, '')
  FROM pg_stat_activity
 WHERE datname = ?
   AND backend_type = 'client backend'
   AND pid <> pg_backend_pid()
 ORDER BY backend_start, pid
