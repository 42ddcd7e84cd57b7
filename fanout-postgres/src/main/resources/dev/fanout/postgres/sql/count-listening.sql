-- Counts the channels that the session listens on: the listener's self-ping. An answer shows that the connection is alive,
-- and the number that it is still the same session (a transaction pooler gives LISTEN to whatever session comes along).
-- Parameters: none
-- Reads: nothing · Locks: nothing
select count(*) from pg_catalog.pg_listening_channels()
