-- Reads one event of an entity's history, published or not: what a filter is asked about when somebody waits for a child.
-- Parameters: 1 tenant · 2 type · 3 id · 4 version
-- Returns the columns of read-log.sql, with 0 for the position and the time of publication, which it does not have.
-- Reads: entity by its unique key, event by (entity, version) · Locks: nothing
select 0::bigint, 0::bigint,
       e.entity_no, e.version, e.size, e.id, e.type, e.deleted, e.headers::text,
       (date_part('epoch', e.occurred_at) * 1000000)::bigint,
       t.tenant, t.type, t.id, e.payload::text
  from ${schema}.entity t
  join ${schema}.event e on e.entity_no = t.no
 where t.tenant = ? and t.type = ? and t.id = ? and e.version = ?
