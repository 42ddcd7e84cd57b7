-- Lets the server notice within 11 seconds that the other end of this session is gone: until then a dead listener's session keeps the
-- wake lock, and appends stay silent. TCP's own patience is two hours.
-- Parameters: none
-- Reads: nothing · Locks: nothing
select pg_catalog.set_config('tcp_keepalives_idle', '5', false),
       pg_catalog.set_config('tcp_keepalives_interval', '2', false),
       pg_catalog.set_config('tcp_keepalives_count', '3', false)
