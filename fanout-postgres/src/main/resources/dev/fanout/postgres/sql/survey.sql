-- Reads all nodes, all leases ever taken, and the head of every partition that holds records, at one moment.
-- Parameters: none
-- Reads: node, lease (both small), stream; log, one backward probe of the primary key per partition · Locks: nothing
-- One statement, so that a lease is never seen without the node that took it. A lease with token 0 was never taken.
select 'node' as kind, n.id as no, n.heartbeat as value, n.name, n.children, 0 as partition
  from ${schema}.node n
union all
select 'lease', l.node, l.token, l.resource, null, 0
  from ${schema}.lease l
 where l.token > 0
union all
select 'head', s.no, h.position + 1, null, null, p.partition
  from ${schema}.stream s
 cross join lateral generate_series(0, s.partitions - 1) p (partition)
 cross join lateral (select g.position from ${schema}.log g
                      where g.stream = s.no and g.partition = p.partition
                      order by g.position desc limit 1) h
