-- Removes old rows of a lane's frontier, all but the newest.
-- Parameters: 1 lane · 2 lane · 3 how many at the most · 4 lane
-- Writes: frontier by primary key · Locks: the rows deleted, which nobody else touches
delete from ${schema}.frontier f
 where f.lane = ?
   and f.no = any (array(select o.no from ${schema}.frontier o where o.lane = ? order by o.no limit ?))
   and f.no < (select max(n.no) from ${schema}.frontier n where n.lane = ?)
