-- Begins to listen on a channel.
-- Parameters: none. ${channel} is replaced by the loader's caller: LISTEN takes a name and no parameter, and the names of WakeNames
--   are lower-case letters, digits and '_' only.
-- Reads: nothing · Locks: nothing · On the listener's own session, in autocommit: within a transaction it would hear nothing.
listen ${channel}
