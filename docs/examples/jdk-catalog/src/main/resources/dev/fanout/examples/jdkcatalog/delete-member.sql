-- Forgets an entity that adds nothing any more.
-- Parameters: id.
DELETE FROM package_member
WHERE id = ?
