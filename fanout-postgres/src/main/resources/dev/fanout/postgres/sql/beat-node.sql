-- Raises a node's counter. One row, updated in place: once in two seconds, HOT (the counter is in no index, fillfactor leaves room).
-- Parameters: 1 node
-- Writes: node by primary key · Locks: that row
-- Updates no row if others have removed the node.
update ${schema}.node set heartbeat = heartbeat + 1 where id = ?
