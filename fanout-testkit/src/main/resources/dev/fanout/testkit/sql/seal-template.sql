-- Closes a migrated database to connections, so that copying it can't fail because someone is connected.
-- Parameters: {{template}}, a quoted name.
ALTER DATABASE {{template}} ALLOW_CONNECTIONS false
