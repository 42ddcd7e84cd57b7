-- Reads the name of the database, from which lock keys and channels derive: the server's own, since a URL may hold a pooler's alias.
-- Parameters: none
-- Reads: nothing · Locks: nothing
select pg_catalog.current_database()
