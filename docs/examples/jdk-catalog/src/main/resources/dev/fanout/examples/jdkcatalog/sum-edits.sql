-- How many changes the assets have kept count of themselves, each having read the count before it.
SELECT sum(edits) FROM asset
