-- Removes a node, frees what it owned, and tells the others.
-- Parameters: 1 node, 2 node, 3 channel
-- Writes: node by primary key, lease (small) · Locks: those rows. Leases that are locked just now are left as they are: a stalled
-- transaction must not hold up a removal, and a lease whose node is gone counts as free.
with gone as (
    delete from ${schema}.node where id = ? returning id
), owned as (
    select l.resource from ${schema}.lease l where l.node = ? for update skip locked
), freed as (
    update ${schema}.lease l set node = null from owned o where l.resource = o.resource returning l.resource
)
select pg_catalog.pg_notify(?, '')
  from (select count(*) from gone) g cross join (select count(*) from freed) f
