-- Drops a database and ends whoever is still connected to it.
-- Parameters: {{database}}, a quoted name.
DROP DATABASE IF EXISTS {{database}} WITH (FORCE)
