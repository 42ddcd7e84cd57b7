-- Keeps what an entity adds to its group.
-- Parameters: id, package_name, size.
INSERT INTO package_member (id, package_name, size)
VALUES (?, ?, ?)
ON CONFLICT (id) DO UPDATE SET package_name = excluded.package_name, size = excluded.size
