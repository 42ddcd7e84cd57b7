-- Keeps how far a lane was published, for the next leader, and announces the publication to other nodes if asked: both only if this
-- transaction has published anything, which its having a transaction id tells.
-- Parameters: 1 lane · 2 mark · 3 low[] · 4 high[] of the missing ranges · 5 whether to announce · 6 channel
-- Writes: frontier (insert) · Locks: the new row
with kept as (
    insert into ${schema}.frontier (lane, mark, missing_from, missing_to)
    select ?, ?, ?, ? where pg_catalog.pg_current_xact_id_if_assigned() is not null
    returning lane
)
select pg_catalog.pg_notify(a.channel, '')
  from kept
 cross join (select ?::boolean as announced, ?::text as channel) a
 where a.announced
