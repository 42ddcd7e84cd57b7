-- Reads all nodes, all leases ever taken, the head of every partition that holds records, all streams, all attached children, and where
-- something is asked for parked events, at one moment.
-- Parameters: none
-- Reads: node, lease, stream, attachment (all small); log, one backward probe of the primary key per partition; parked_entity by
--   parked_entity_wish, which holds only what is asked · Locks: nothing
-- MUST be one statement: a lease is never seen without the node that took it, nor an attachment without the tokens that were raised with
-- it. A lease with token 0 was never taken.
select 'node' as kind, n.id as no, n.heartbeat as value, n.name, n.children, 0 as partition, null as epoch, null::integer as target,
       false as flag
  from ${schema}.node n
union all
select 'lease', l.node, l.token, l.resource, null, 0, null, null, false
  from ${schema}.lease l
 where l.token > 0
union all
select 'head', s.no, h.position + 1, null, null, p.partition, null, null, false
  from ${schema}.stream s
 cross join lateral generate_series(0, s.partitions - 1) p (partition)
 cross join lateral (select g.position from ${schema}.log g
                      where g.stream = s.no and g.partition = p.partition
                      order by g.position desc limit 1) h
union all
(select 'stream', s.no, (extract(epoch from s.retention) * 1000000)::bigint, s.name, s.entity_types, s.partitions, s.partitioner, s.lane, false
  from ${schema}.stream s
 order by s.no)
union all
(select 'child', a.no, (extract(epoch from a.delay) * 1000000)::bigint, a.child, null, a.stream, a.epoch, a.target, a.paused
  from ${schema}.attachment a
 where a.detached_at is null
 order by a.no)
union all
select 'asked', b.attachment, null, null, null, b.partition, null, null, false
  from (select distinct p.attachment, p.partition from ${schema}.parked_entity p where p.wish is not null) b
