-- Reads what entities add to their groups at present. They can't change meanwhile: an entity's events come one after
-- another, and to nobody else.
-- Parameters: ids.
SELECT id, package_name, size
FROM package_member
WHERE id = ANY (?)
