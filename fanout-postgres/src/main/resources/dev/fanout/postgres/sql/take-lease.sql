-- Takes a resource by compare-and-set on its token; the token grows by one.
-- Parameters: 1 node, 2 resource, 3 token last seen, 4 resource, 5 node, 6 token last seen (0: never taken)
-- Writes: lease by primary key · Locks: that row; waits for a transaction whose fence holds it FOR SHARE, at most lock_timeout
-- Returns the new token; no row if another was first. An insert would not do alone: with a token above 0 it must not create.
with moved as (
    update ${schema}.lease set node = ?, token = token + 1 where resource = ? and token = ? returning token
), made as (
    insert into ${schema}.lease (resource, node, token)
    select ?, ?::bigint, 1 where ? = 0 and not exists (select from moved)
    on conflict (resource) do nothing
    returning token
)
select token from moved union all select token from made
