insert into ${schema}.flyway_schema_history
       (installed_rank, version, description, type, script, checksum, installed_by, execution_time, success)
values (${rank}, '${version}', '${description}', 'SQL', '${script}', ${checksum}, current_user, 0, true);
