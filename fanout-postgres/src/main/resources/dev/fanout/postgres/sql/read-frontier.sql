-- Reads how far a lane was published, as its last publication knew it.
-- Parameters: 1 lane
-- Reads: frontier, one backward probe of the primary key · Locks: nothing
select f.mark, f.missing_from, f.missing_to from ${schema}.frontier f where f.lane = ? order by f.no desc limit 1
