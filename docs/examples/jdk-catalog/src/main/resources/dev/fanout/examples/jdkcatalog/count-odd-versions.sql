-- How many assets have another version than their own count of changes says.
SELECT count(*)
FROM asset
WHERE version <> 1 + edits
