-- Tells whether this server and session can carry the store at all. One row.
-- Parameters: none
-- Reads: settings and catalogs · Locks: nothing · Index: none needed
-- to_regclass and not a cast: a missing table is an answer, not an error. The history is asked for by its qualified name:
-- a table of the same name in another schema, whatever search_path says, is none of ours.
select pg_catalog.current_setting('server_version_num')::integer as version_num,
       pg_catalog.current_setting('server_version') as version,
       pg_catalog.pg_is_in_recovery() as standby,
       pg_catalog.current_setting('default_transaction_read_only')::boolean
           or pg_catalog.current_setting('transaction_read_only')::boolean as read_only,
       pg_catalog.current_database() as database,
       current_user as role,
       pg_catalog.to_regnamespace('${schema}') is not null as has_schema,
       coalesce(pg_catalog.has_schema_privilege(pg_catalog.to_regnamespace('${schema}')::oid, 'USAGE'), false) as may_use,
       exists (select from pg_catalog.pg_class c
                where c.relnamespace = pg_catalog.to_regnamespace('${schema}') and c.relname = 'flyway_schema_history') as has_history
