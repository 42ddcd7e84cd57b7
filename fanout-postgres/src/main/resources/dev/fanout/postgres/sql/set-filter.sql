-- Sets the filter that is shown for an attached child to what a process declares. It holds for what is examined from then on.
-- Parameters: 1 filter or null · 2 child · 3 filter or null
-- Writes: attachment · Locks: that row · Index: attachment_child_key
update ${schema}.attachment a
   set declared = pg_catalog.jsonb_strip_nulls(a.declared || pg_catalog.jsonb_build_object('filter', ?::text))
 where a.child = ? and a.declared ->> 'filter' is distinct from ?::text
