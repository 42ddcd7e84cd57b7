-- Reads an entity as the application's transaction sees it.
-- Parameters: tenant, type, id
-- Reads: entity · Locks: nothing · Index: entity_tenant_type_id_key
select version, source_version, state::text, deleted
  from ${schema}.entity
 where tenant = ? and type = ? and id = ?
