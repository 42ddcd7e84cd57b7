-- The schema of fanout, for whoever administers the database. Run it as the owner-to-be, in one transaction:
--   psql -1 -v ON_ERROR_STOP=1 -f this-file
-- Applications then open the store in the mode VALIDATE, as members of ${name}_appender (append only) or ${name}_runner
-- (append, relay and projections).

create schema ${schema};

