-- Adds a node. Its number is never used again.
-- Parameters: 1 name, 2 children that it can run (text[])
-- Writes: node · Locks: the new row
-- Returns the number.
insert into ${schema}.node (name, children) values (?, ?) returning id
