-- How many deliveries of an entity a child has kept.
-- Parameters: child, id.
SELECT count(*)
FROM trail
WHERE child = ?
  AND id = ?
