-- Changes an asset, and keeps when. No condition on the version: append has checked it, and holds the entity's lock until
-- the commit.
-- Parameters: package_name, size, retired, edits, version, id.
WITH changed AS (
    UPDATE asset
    SET package_name = ?, size = ?, retired = ?, edits = ?, version = ?
    WHERE id = ?
    RETURNING id, version
)
INSERT INTO edit (id, version)
SELECT id, version
FROM changed
