-- How many deliveries are not of the version behind the one delivered before them to the same child, of the same asset.
-- Parameters: child.
SELECT count(*)
FROM (
    SELECT version, lag(version) OVER (PARTITION BY id ORDER BY n) AS previous
    FROM trail
    WHERE child = ?
) AS deliveries
WHERE version <> previous + 1
