-- Asks for something of one parked entity of a child, or of all. A later request replaces an earlier one.
-- Parameters: 1 tenant · 2 type · 3 id · 4 attachment · 5 whether it is for all · 6 wish
-- Reads: entity by its unique key, parked_event by one backward probe of the primary key per entity · Writes: parked_entity
-- Locks: those rows, in the order of their entities as in park-entities.sql: no deadlock with an owner that sets several aside
-- Returns how many entities it concerns.
with meant as materialized (
    select b.attachment, b.entity_no
      from (select (select t.no from ${schema}.entity t where t.tenant = ? and t.type = ? and t.id = ?) as no) one
      join ${schema}.parked_entity b on b.attachment = ? and (? or b.entity_no = one.no)
     order by b.entity_no
       for update of b
), asked as (
    update ${schema}.parked_entity b
       set wish = ?, asked_at = pg_catalog.clock_timestamp(),
           wish_up_to = coalesce((select p.version from ${schema}.parked_event p
                                   where p.attachment = b.attachment and p.entity_no = b.entity_no
                                   order by p.version desc limit 1), b.version)
      from meant m
     where b.attachment = m.attachment and b.entity_no = m.entity_no
    returning b.entity_no
)
select count(*) from asked
