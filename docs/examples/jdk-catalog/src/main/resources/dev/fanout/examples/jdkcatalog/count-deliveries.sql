-- How many deliveries a child has kept.
-- Parameters: child.
SELECT count(*)
FROM trail
WHERE child = ?
