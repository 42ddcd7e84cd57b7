-- How many assets have another version than as many deliveries say: all of an asset's versions, each once.
-- Parameters: child.
SELECT count(*)
FROM asset
    FULL JOIN (
        SELECT id, count(*) AS deliveries, count(DISTINCT version) AS versions, max(version) AS latest
        FROM trail
        WHERE child = ?
        GROUP BY id
    ) AS derived USING (id)
WHERE (version, version, version) IS DISTINCT FROM (deliveries, versions, latest)
