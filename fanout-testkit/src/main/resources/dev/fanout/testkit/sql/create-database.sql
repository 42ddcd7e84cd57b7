-- Makes an empty database.
-- Parameters: {{database}}, a quoted name.
-- From template0, which nobody can be connected to: a copy is refused while anyone is.
CREATE DATABASE {{database}} TEMPLATE template0
