-- Lists entities that a child has set aside, those parked longest first, each with how many events of it wait.
-- Parameters: 1 attachment · 2 how many at the most
-- Reads: parked_entity (those of the child), entity and event by their keys; parked_event, a range of the primary key per entity listed
-- Locks: nothing · For people, not for loops.
select t.tenant, t.type, t.id, b.version, e.id, b.cause, b.attempts,
       (date_part('epoch', b.parked_at) * 1000000)::bigint, (date_part('epoch', b.last_tried_at) * 1000000)::bigint,
       (select count(*) from ${schema}.parked_event p where p.attachment = b.attachment and p.entity_no = b.entity_no)
  from (select * from ${schema}.parked_entity o
         where o.attachment = ?
         order by o.parked_at, o.entity_no limit ?) b
  join ${schema}.entity t on t.no = b.entity_no
  join ${schema}.event e on e.entity_no = b.entity_no and e.version = b.version
 order by b.parked_at, b.entity_no
