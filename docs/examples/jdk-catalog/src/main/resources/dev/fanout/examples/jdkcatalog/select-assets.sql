-- Reads assets.
-- Parameters: ids.
SELECT id, module, package_name, name, kind, size, retired, edits, version
FROM asset
WHERE id = ANY (?)
ORDER BY id
