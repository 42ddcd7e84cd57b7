-- How many groups differ between counting the assets now and what the child "packages" has kept count of.
SELECT count(*)
FROM (
    SELECT package_name, count(*) AS classes, sum(size) AS bytes
    FROM asset
    WHERE NOT retired
    GROUP BY package_name
) AS truth
    FULL JOIN (SELECT * FROM package_total WHERE classes <> 0 OR bytes <> 0) AS derived USING (package_name)
WHERE (truth.classes, truth.bytes) IS DISTINCT FROM (derived.classes, derived.bytes)
