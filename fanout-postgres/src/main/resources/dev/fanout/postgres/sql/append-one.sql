-- Appends one event on one route in the caller's transaction: the usual append, with no version expected, or 0 (must be absent).
-- The entity is created or changed, whichever it is. What is not like this goes by append.sql or append-expected.sql.
--
-- Parameters: 1 tenant text · 2 type text · 3 id text · 4 deleted boolean (the event is a tombstone) · 5 source version bigint or null
--   · 6 state jsonb or null · 7 new boolean (the entity must be absent)
--   · 8 event id uuid · 9 bytes of payload and headers int · 10 event type text · 11 stream int · 12 payload jsonb · 13 headers jsonb or null
--   · 14 stream int · 15 partition int · 16 wake key bigint (null: no wake) · 17 wake channel text · 18 wake always boolean
-- Returns the entity's version; no row if that was refused, and nothing was written: append.sql, called next, says why.
-- Reads and writes: entity, event, outbox. Locks: the entity's row, until the transaction ends.
-- Index: entity (tenant, type, id).
-- The outbox returns no column of its own: an appender may insert there and not read.
-- MUST stay a chain, each part reading the rows of the one before: entity's lock, event, outbox id, wake, as in the function append.
-- CTEs that don't read each other run in no promised order, and one that nobody reads may not run at all. The parts share one
-- snapshot, which only the first looks at: a conflicting row is locked and changed in its latest version.
-- Why not UPDATE, then INSERT where nothing was updated: a tenth more for a branch that is not taken. It burns a number of the
-- entity's sequence each time, of which there are enough. Why not the function: its statements are each set up anew; this took a sixth less of the server's time.
with changed as (
    insert into ${schema}.entity as e (version, tenant, type, id, deleted, source_version, state)
    values (1, ?, ?, ?, ?, ?, ?::jsonb)
    on conflict (tenant, type, id) do update
       set version = e.version + 1,
           deleted = excluded.deleted,
           source_version = coalesce(excluded.source_version, e.source_version),
           state = coalesce(excluded.state, case when not excluded.deleted then e.state end)
     where not ? and (e.source_version >= excluded.source_version) is not true
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
