-- Ends every connection to a database but the asking one, and waits for each end for up to five seconds.
-- Parameters: 1 the database's name.
-- Reads pg_stat_activity. Waiting makes the number that it answers true when it answers.
SELECT count(*) FILTER (WHERE pg_terminate_backend(pid, 5000))
  FROM pg_stat_activity
 WHERE datname = ?
   AND backend_type = 'client backend'
   AND pid <> pg_backend_pid()
