-- Gives a lease back, free at once, and tells the others. The token stays: the next owner's is higher.
-- Parameters: 1 resource, 2 token, 3 channel
-- Writes: lease by primary key · Locks: that row · Notifies only if the lease was still the caller's
with freed as (
    update ${schema}.lease set node = null where resource = ? and token = ? and node is not null returning resource
)
select pg_catalog.pg_notify(?, '') from freed
