-- Says what a node can run from now on, and tells the others.
-- Parameters: 1 children, 2 node, 3 channel
-- Writes: node by primary key · Locks: that row · Notifies only if the node is there
with told as (
    update ${schema}.node set children = ? where id = ? returning id
)
select pg_catalog.pg_notify(?, '') from told
