-- How many rows differ between the assets that are not retired and what the child "packages" keeps of each.
SELECT count(*)
FROM (SELECT id, package_name, size FROM asset WHERE NOT retired) AS truth
    FULL JOIN package_member AS derived USING (id)
WHERE (truth.package_name, truth.size) IS DISTINCT FROM (derived.package_name, derived.size)
