-- Appends to many entities in the caller's transaction, in one round trip: all, or at the first refusal none.
--
-- Parameters, one element per append: 1 tenants text[] · 2 types text[] · 3 ids text[] · 4 expecting bigint[]
--   · 5 source versions bigint[] · 6 states text[] (JSON) · 7 keys text[] (4-7 with null elements)
--   one element per event: 8 append's number int[] (from 1) · 9 ids uuid[] · 10 types text[] · 11 payloads text[]
--   · 12 headers text[] · 13 tombstones boolean[]
--   one element per route: 14 append's number int[] · 15 streams int[] · 16 partitions int[]
--   · 17 wake key bigint (null: no wake) · 18 wake channel text · 19 wake always boolean
-- Returns nth (the append's number), status, entity_no, first_version, stored_source_version, event_ids: one row per
--   append in locking order. If the last row's status is 'conflict' or 'regressed', nothing was written and the rows before
--   it are void.
-- Reads and writes: entity, event, outbox. Locks: the entities' rows by (tenant, type, id), until the transaction ends.
-- Why not one set-based statement: it would lock the entities that exist before those it creates, and two batches could
--   deadlock; one entity may occur many times.
select nth, status, entity_no, first_version, stored_source_version, event_ids
  from ${schema}.append_batch(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
