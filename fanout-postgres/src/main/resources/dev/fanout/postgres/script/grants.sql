
-- Two roles that can't log in. Make the application's role a member: grant ${name}_appender to <role>.
do $$
begin
    if not exists (select from pg_catalog.pg_roles where rolname = '${name}_appender') then
        create role ${name}_appender nologin;
    end if;
    if not exists (select from pg_catalog.pg_roles where rolname = '${name}_runner') then
        create role ${name}_runner nologin;
    end if;
end
$$;
grant ${name}_appender to ${name}_runner;

-- An appender appends and finds. Streams and children are stored by the first runner that starts.
grant usage on schema ${schema} to ${name}_appender;
grant select on ${schema}.flyway_schema_history, ${schema}.stream, ${schema}.attachment to ${name}_appender;
grant select, insert, update on ${schema}.entity to ${name}_appender;
grant select, insert on ${schema}.event to ${name}_appender;
grant insert on ${schema}.outbox to ${name}_appender;
grant usage on all sequences in schema ${schema} to ${name}_appender;
grant execute on all functions in schema ${schema} to ${name}_appender;

-- A runner also publishes, delivers, and takes part in the election.
grant insert, update, delete on ${schema}.stream, ${schema}.attachment to ${name}_runner;
grant select, delete on ${schema}.outbox to ${name}_runner;
grant select, insert, delete on ${schema}.log to ${name}_runner;
grant select, insert, delete on ${schema}.frontier, ${schema}.cursor, ${schema}.gate, ${schema}.parked_event to ${name}_runner;
grant select, insert, update, delete on ${schema}.parked_entity to ${name}_runner;
grant select, insert, update, delete on ${schema}.node, ${schema}.lease to ${name}_runner;

-- Runners end the backend of a dead one that still blocks them. Members of one role may do that to each other; where
-- runners log in as different roles, also: grant pg_signal_backend to ${name}_runner.
