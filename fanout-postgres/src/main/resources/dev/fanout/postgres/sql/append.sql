-- Appends the events of one entity in the caller's transaction, in one round trip.
--
-- Parameters: 1 tenant text · 2 type text · 3 id text · 4 expecting bigint or null · 5 source version bigint or null
--   · 6 state text (JSON) or null · 7 deleted boolean (of the last event) · 8 key text or null
--   · 9 event id uuid · 10 event type text · 11 payload text (JSON) · 12 headers text (JSON) or null · 13 tombstone boolean
--   · 14 streams int[] · 15 partitions int[] (both empty: history only)
--   · 16 wake key bigint (null: no wake) · 17 wake channel text · 18 wake always boolean
--   · 19 count int · 20-24 ids uuid[], types text[], payloads text[], headers text[], tombstones boolean[] of the events after
--   the first; null when there are none
-- Returns one row: status ('appended', 'repeated', 'conflict', 'regressed'), entity_no, first_version, stored_source_version,
--   event_ids (of a repeat), woken.
-- Reads and writes: entity, event, outbox. Locks: the entity's row, until the transaction ends.
-- Indexes: entity (tenant, type, id), event (entity_no, key).
-- Why a function: each of its statements sees what the lock's last holder committed, in an order that CTEs do not promise;
--   races and refusals come back as values, so that the host's transaction stays usable.
select status, entity_no, first_version, stored_source_version, event_ids, woken
  from ${schema}.append(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
