-- Appends the events of one entity in the caller's transaction, in one round trip.
--
-- Parameters: 1 tenant text · 2 type text · 3 id text · 4 expecting bigint or null · 5 source version bigint or null
--   · 6 state text (JSON) or null · 7 deleted boolean (the last event is a tombstone) · 8 clears boolean (one of them is)
--   · 9 key text or null
--   · 10 event id uuid · 11 event type text · 12 payload text (JSON) · 13 headers text (JSON) or null · 14 tombstone boolean
--   · 15 streams int[] · 16 partitions int[] (both empty: history only)
--   · 17 wake key bigint (null: no wake) · 18 wake channel text · 19 wake always boolean
--   · 20 count int · 21-25 ids uuid[], types text[], payloads text[], headers text[], tombstones boolean[] of the events after
--   the first; null when there are none
-- Returns one row: status ('appended', 'repeated', 'conflict', 'regressed'), first_version, stored_source_version, event_ids (of a
--   repeat).
-- Reads and writes: entity, event, outbox. Locks: the entity's row, until the transaction ends.
-- Indexes: entity (tenant, type, id), event (entity_no, key).
-- Why a function: each of its statements sees what the lock's last holder committed, in an order that CTEs do not promise;
--   races and refusals come back as values, so that the host's transaction stays usable.
-- Why not FROM append(..): a scan of a function builds a row store and a row type for every call, a tenth of the append's time.
--   OFFSET 0 keeps the call to one.
select (a.r).status, (a.r).first_version, (a.r).stored_source_version, (a.r).event_ids
  from (select ${schema}.append(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) as r offset 0) a
