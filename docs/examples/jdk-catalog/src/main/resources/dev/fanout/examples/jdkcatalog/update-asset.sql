-- Changes an asset. No condition on the version: append has checked it, and holds the entity's lock until the commit.
-- Parameters: package_name, size, retired, edits, version, id.
UPDATE asset
SET package_name = ?, size = ?, retired = ?, edits = ?, version = ?
WHERE id = ?
