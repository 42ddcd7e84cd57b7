-- Appends one event on one route in the caller's transaction, to an entity that must have a certain version, above 0.
--
-- Parameters: 1 deleted boolean (the event is a tombstone) · 2 source version bigint or null · 3 state jsonb or null · 4 as 1
--   · 5 tenant text · 6 type text · 7 id text · 8 expected version bigint · 9 source version bigint or null
--   · 10 event id uuid · 11 bytes of payload and headers int · 12 event type text · 13 stream int · 14 payload jsonb · 15 headers jsonb or null
--   · 16 stream int · 17 partition int · 18 wake key bigint (null: no wake) · 19 wake channel text · 20 wake always boolean
-- Returns the entity's version; no row if that was refused, and nothing was written: append.sql, called next, says why.
-- Reads and writes: entity, event, outbox. Locks: the entity's row, until the transaction ends.
-- Index: entity (tenant, type, id).
-- MUST stay a chain, for the reasons in append-one.sql. MUST NOT insert the entity: expecting 7 of an absent one created it once.
-- The expected version is compared anew with what the lock's last holder committed.
with changed as (
    update ${schema}.entity e
       set version = e.version + 1,
           deleted = ?,
           source_version = coalesce(?, e.source_version),
           state = coalesce(?::jsonb, case when not ? then e.state end)
     where e.tenant = ? and e.type = ? and e.id = ? and e.version = ? and (e.source_version >= ?) is not true
    returning e.no, e.version, e.deleted
), written as (
    insert into ${schema}.event (entity_no, version, id, size, type, deleted, streams, payload, headers)
    select c.no, c.version, ?, ?, ?, c.deleted, array[?::integer], ?::jsonb, ?::jsonb from changed c
    returning seq, version
), queued as (
    insert into ${schema}.outbox (id, event_seq, lane, stream, partition)
    select pg_catalog.nextval('${schema}.outbox_lane_0'), w.seq, 0, ?, ? from written w
    returning 1
)
select (select w.version from written w), ${schema}.wake(?, ?, ?) from queued
