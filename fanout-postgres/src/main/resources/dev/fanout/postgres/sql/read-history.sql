-- Reads which migrations of this library the schema has: its own Flyway history, not the application's.
-- Parameters: none
-- Reads: flyway_schema_history (a handful of rows) · Locks: nothing · Index: none needed
select version, script, checksum, success
  from ${schema}.flyway_schema_history
 where version is not null
 order by installed_rank
