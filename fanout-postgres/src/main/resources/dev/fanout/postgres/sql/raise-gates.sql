-- Adds rows to the gates' ledger, one per entity: the last version applied.
-- Parameters: 1 attachment · 2 entity numbers (bigint[]) · 3 versions (bigint[])
-- Writes: gate (insert) · Locks: the new rows
-- A version that is there already is no error: a gate read before a lost commit may be written again.
insert into ${schema}.gate (attachment, entity_no, version)
select ?, n.entity_no, n.version from unnest(?::bigint[], ?::bigint[]) n (entity_no, version)
on conflict (attachment, entity_no, version) do nothing
