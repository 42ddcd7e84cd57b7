-- Adds a difference to a group.
-- Parameters: package_name, classes, bytes, changes.
-- MUST be executed in the order of package_name: partitions share groups, and two of them would wait for each other.
INSERT INTO package_total AS total (package_name, classes, bytes, changes)
VALUES (?, ?, ?, ?)
ON CONFLICT (package_name) DO UPDATE
SET classes = total.classes + excluded.classes,
    bytes   = total.bytes + excluded.bytes,
    changes = total.changes + excluded.changes
