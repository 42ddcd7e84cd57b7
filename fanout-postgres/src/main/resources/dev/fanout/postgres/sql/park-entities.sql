-- Sets entities aside, or says that another attempt at them failed: attempts add up, the time of parking stays, and a request is answered.
-- Parameters: 1 attachment · 2 partition · 3 entity numbers (bigint[]) · 4 versions (bigint[]) · 5 causes (text[]) · 6 attempts (integer[])
-- Writes: parked_entity (upsert by primary key) · Locks: those rows, in the order of their entities as in ask-parked.sql: no deadlock
insert into ${schema}.parked_entity as b (attachment, partition, entity_no, version, cause, attempts)
select ?, ?, n.entity_no, n.version, n.cause, n.attempts
  from unnest(?::bigint[], ?::bigint[], ?::text[], ?::integer[]) n (entity_no, version, cause, attempts)
 order by n.entity_no
on conflict (attachment, entity_no) do update
   set version = excluded.version, cause = excluded.cause, attempts = b.attempts + excluded.attempts,
       last_tried_at = excluded.last_tried_at, wish = null, wish_up_to = null, asked_at = null
