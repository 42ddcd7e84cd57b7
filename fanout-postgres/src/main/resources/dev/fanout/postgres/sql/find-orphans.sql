-- Finds attachments that are over, or gone, and still have cursors, gates or parked events. Only on the primary.
-- Parameters: none
-- Reads: cursor, gate, parked_entity, parked_event: from one attachment to the next, one probe of the primary key each; attachment
-- Locks: nothing. What it finds is confirmed under the attachment's lock (confirm-orphan.sql) before anything is removed.
with recursive
cursors (no) as (
    (select c.attachment from ${schema}.cursor c order by c.attachment limit 1)
    union all
    select (select c.attachment from ${schema}.cursor c where c.attachment > k.no order by c.attachment limit 1)
      from cursors k where k.no is not null
), gates (no) as (
    (select g.attachment from ${schema}.gate g order by g.attachment limit 1)
    union all
    select (select g.attachment from ${schema}.gate g where g.attachment > k.no order by g.attachment limit 1)
      from gates k where k.no is not null
), blocked (no) as (
    (select b.attachment from ${schema}.parked_entity b order by b.attachment limit 1)
    union all
    select (select b.attachment from ${schema}.parked_entity b where b.attachment > k.no order by b.attachment limit 1)
      from blocked k where k.no is not null
), parked (no) as (
    (select p.attachment from ${schema}.parked_event p order by p.attachment limit 1)
    union all
    select (select p.attachment from ${schema}.parked_event p where p.attachment > k.no order by p.attachment limit 1)
      from parked k where k.no is not null
)
select k.no
  from (select no from cursors union select no from gates union select no from blocked union select no from parked) k
 where k.no is not null
   and not pg_catalog.pg_is_in_recovery()
   and not exists (select from ${schema}.attachment a where a.no = k.no and a.detached_at is null)
 order by k.no
