-- How many assets there are.
SELECT count(*) FROM asset
