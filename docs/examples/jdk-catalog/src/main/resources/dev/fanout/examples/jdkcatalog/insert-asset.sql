-- Adds an asset in its first version.
-- Parameters: id, module, package_name, name, kind, size, version.
INSERT INTO asset (id, module, package_name, name, kind, size, version)
VALUES (?, ?, ?, ?, ?, ?, ?)
