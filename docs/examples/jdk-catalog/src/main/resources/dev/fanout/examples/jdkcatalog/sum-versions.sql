-- How many events there must have been: versions are dense.
SELECT sum(version) FROM asset
