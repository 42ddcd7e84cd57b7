-- Reads the whole table, for the comparison with the index.
SELECT id, module, package_name, name, kind, size, retired, edits, version
FROM asset
