-- How many of these entities the child "packages" has in this group.
-- Parameters: ids, package_name.
SELECT count(*)
FROM package_member
WHERE id = ANY (?)
  AND package_name = ?
